package dev.ledger.app.commit;

import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.axonframework.common.Registration;
import org.axonframework.common.caching.Cache;

/**
 * Axon's aggregate cache, bounded, on Caffeine. Axon's repository removes an aggregate from it whenever the unit of work
 * that touched it is rolled back, also when the commit itself failed (K09).
 */
public final class AccountCache implements Cache {

    private final ConcurrentMap<Object, Object> entries;

    /** @param maximumSize accounts that are kept at most */
    public AccountCache(int maximumSize) {
        this.entries = Caffeine.newBuilder()
                .maximumSize(maximumSize)
                .executor(Runnable::run)
                .build()
                .asMap();
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // Axon's interface answers null for an absent entry
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
    @SuppressWarnings("unchecked")
    public <T> T computeIfAbsent(Object key, Supplier<T> value) {
        return (T) entries.computeIfAbsent(key, absent -> value.get());
    }

    @Override
    public boolean remove(Object key) {
        return entries.remove(key) != null;
    }

    @Override
    public void removeAll() {
        entries.clear();
    }

    @Override
    public boolean containsKey(Object key) {
        return entries.containsKey(key);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <V> void computeIfPresent(Object key, UnaryOperator<V> update) {
        entries.computeIfPresent(key, (present, value) -> update.apply((V) value));
    }

    /** Nobody here listens to cache entries. */
    @Override
    public Registration registerCacheEntryListener(EntryListener listener) {
        return () -> true;
    }
}
