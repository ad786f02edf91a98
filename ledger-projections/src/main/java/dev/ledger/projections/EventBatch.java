package dev.ledger.projections;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;

/**
 * Gathers the events that a handler gets in one unit of work and writes them at once before it commits.
 *
 * @param <E> the events
 */
public final class EventBatch<E> {

    private final String resource;
    private final Consumer<List<E>> write;

    /**
     * @param handler whose events these are; several handlers may share a unit of work
     * @param write runs once for each unit of work, in its transaction
     */
    public EventBatch(String handler, Consumer<List<E>> write) {
        this.resource = EventBatch.class.getName() + '.' + handler;
        this.write = write;
    }

    public void add(E event) {
        UnitOfWork<?> unitOfWork = CurrentUnitOfWork.get();
        List<E> events = unitOfWork.getOrComputeResource(resource, key -> {
            List<E> gathered = new ArrayList<>();
            unitOfWork.onPrepareCommit(prepared -> write.accept(gathered));
            return gathered;
        });
        events.add(event);
    }
}
