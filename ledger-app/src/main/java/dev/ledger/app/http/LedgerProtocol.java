package dev.ledger.app.http;

import org.apache.coyote.Adapter;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;

/** Tomcat's HTTP/1.1, whose requests know the connection that they came on. Tomcat makes it by its name. */
public final class LedgerProtocol extends Http11NioProtocol {

    @Override
    protected Processor createProcessor() {
        return new ConnectedProcessor(this, getAdapter());
    }

    private static final class ConnectedProcessor extends Http11Processor {

        ConnectedProcessor(AbstractHttp11Protocol<?> protocol, Adapter adapter) {
            super(protocol, adapter);
            // Unlike an attribute, a note outlives the requests of a connection; so does this processor.
            request.setNote(CallerConnection.NOTE, new CallerConnection(this, this::getSocketWrapper));
        }
    }
}
