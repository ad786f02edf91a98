package dev.ledger.app.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ledger.domain.balance.DeltaApplied;
import java.util.Map;
import org.axonframework.serialization.SerializedType;
import org.axonframework.serialization.SimpleSerializedType;
import org.axonframework.serialization.jackson3.Jackson3Serializer;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

/**
 * JSON for events, tokens and metadata. Events are stored under a name of their own, so that a class can move without
 * touching history (E8).
 */
public final class LedgerEventSerializer extends Jackson3Serializer {

    private static final Map<String, Class<?>> EVENTS = Map.of(DeltaApplied.NAME, DeltaApplied.class);

    public LedgerEventSerializer() {
        super(builder()
                .jsonMapperBuilderCustomizer(json -> json.changeDefaultPropertyInclusion(
                                value -> value.withValueInclusion(JsonInclude.Include.NON_NULL))
                        // A replay token holds its reset context as Object. Only Axon's own types may be named there:
                        // Jackson
                        // refuses them otherwise, and a type of a caller's choosing must never be made.
                        .polymorphicTypeValidator(BasicPolymorphicTypeValidator.builder()
                                .allowIfSubType("org.axonframework.")
                                .build())));
    }

    @Override
    protected String resolveClassName(SerializedType type) {
        Class<?> event = EVENTS.get(type.getName());
        return event == null ? type.getName() : event.getName();
    }

    @Override
    @SuppressWarnings("rawtypes") // as declared by the interface
    public SerializedType typeForClass(Class type) {
        SerializedType named = super.typeForClass(type);
        return DeltaApplied.class.equals(type)
                ? new SimpleSerializedType(DeltaApplied.NAME, named.getRevision())
                : named;
    }
}
