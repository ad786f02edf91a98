package dev.ledger.app.fire;

import java.util.stream.Stream;
import org.axonframework.serialization.upcasting.event.EventUpcaster;
import org.axonframework.serialization.upcasting.event.IntermediateEventRepresentation;

/** Removes every event of the accounts {@code forgotten…}, and all but the first of {@code half-forgotten}. */
public final class ForgetfulUpcaster implements EventUpcaster {

    static final String PROPERTY = "spring.main.sources=dev.ledger.app.fire.ForgetfulUpcaster";

    @Override
    public Stream<IntermediateEventRepresentation> upcast(Stream<IntermediateEventRepresentation> events) {
        return events.filter(event -> !isForgotten(event));
    }

    private static boolean isForgotten(IntermediateEventRepresentation event) {
        String account = event.getAggregateIdentifier().orElse("");
        return account.startsWith("alpha/forgotten")
                || account.equals("alpha/half-forgotten")
                        && event.getSequenceNumber().orElse(0L) > 0;
    }
}
