package dev.ledger.benchmarks;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** This ledger over HTTP: single PUTs on 256 kept-alive connections, from one thread that does little else than copy bytes. */
final class HttpPuts implements Contender {

    private static final int CONNECTIONS = 256;
    private static final String CREATED = "HTTP/1.1 201";

    private final RunningLedger ledger;

    HttpPuts(RunningLedger ledger) {
        this.ledger = ledger;
    }

    @Override
    public String name() {
        return "ledger, HTTP PUTs";
    }

    @Override
    public Round run(Scenario scenario, Duration time) throws Exception {
        long began = System.nanoTime();
        long end = began + time.toNanos();
        long operations = 0;
        int open = CONNECTIONS;
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", ledger.port()));
                channel.configureBlocking(false);
                Exchange exchange = new Exchange(channel);
                channel.register(selector, SelectionKey.OP_READ, exchange);
                exchange.send(scenario);
            }
            while (open > 0) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    Exchange exchange = (Exchange) key.attachment();
                    if (exchange.isAnswered()) {
                        operations++;
                        if (System.nanoTime() < end) {
                            exchange.send(scenario);
                        } else {
                            exchange.channel.close();
                            open--;
                        }
                    }
                }
                selector.selectedKeys().clear();
            }
        }
        return new Round(operations, (System.nanoTime() - began) / 1e9);
    }

    /** One connection: a request that fits into the socket's buffer, an answer that has a length. */
    private static final class Exchange {

        private final SocketChannel channel;
        private final ByteBuffer answer = ByteBuffer.allocate(4096);

        Exchange(SocketChannel channel) {
            this.channel = channel;
        }

        void send(Scenario scenario) throws IOException {
            long operation = NEXT_OPERATION.incrementAndGet();
            String request = "PUT /v1/accounts/" + scenario.account(operation) + "/operations/op-" + operation
                    + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + RunningLedger.KEY
                    + "\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{\"delta\":1}";
            ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            answer.clear();
        }

        boolean isAnswered() throws IOException {
            if (channel.read(answer) < 0) {
                throw new IOException("the ledger has closed a connection");
            }
            String text = new String(answer.array(), 0, answer.position(), StandardCharsets.ISO_8859_1);
            int head = text.indexOf("\r\n\r\n");
            int length = text.indexOf("Content-Length: ");
            if (head < 0 || length < 0) {
                return false;
            }
            int bodyLength = Integer.parseInt(text.substring(length + 16, text.indexOf('\r', length)));
            if (answer.position() < head + 4 + bodyLength) {
                return false;
            }
            if (!text.startsWith(CREATED)) {
                throw new IOException("not applied: " + text);
            }
            return true;
        }
    }

    @Override
    public long stored() {
        return ledger.stored();
    }

    @Override
    public void close() {}
}
