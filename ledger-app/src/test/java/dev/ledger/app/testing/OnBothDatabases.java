package dev.ledger.app.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * Runs a test class twice: with a {@link RunningLedger} on a fresh H2 database, then with one on a fresh PostgreSQL
 * database. The class takes it in its constructor; it is shared by the class's tests and closed behind them.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass(name = "{0}")
@ArgumentsSource(FreshLedgers.class)
public @interface OnBothDatabases {

    /** Further properties, as {@code name=value}. */
    String[] properties() default {};
}
