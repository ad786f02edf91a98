package dev.ledger.domain.balance;

import java.util.HashMap;
import java.util.Map;
import org.axonframework.common.Registration;
import org.axonframework.common.caching.Cache;

/** A cache that forgets nothing by itself: whatever Axon leaves in it, the next command meets. */
final class MemoryCache implements Cache {

    private final Map<Object, Object> entries = new HashMap<>();

    @Override
    @SuppressWarnings("unchecked")
    public <K, V> V get(K key) {
        return (V) entries.get(key);
    }

    @Override
    public void put(Object key, Object value) {
        entries.put(key, value);
    }

    @Override
    public boolean putIfAbsent(Object key, Object value) {
        return entries.putIfAbsent(key, value) == null;
    }

    @Override
    public boolean remove(Object key) {
        return entries.remove(key) != null;
    }

    @Override
    public boolean containsKey(Object key) {
        return entries.containsKey(key);
    }

    @Override
    public Registration registerCacheEntryListener(EntryListener listener) {
        return () -> true;
    }
}
