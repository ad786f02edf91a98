package dev.ledger.app.testing;

import dev.ledger.app.store.Database;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.AnnotationBasedArgumentsProvider;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** Starts one ledger after the other, when its turn has come. */
final class FreshLedgers extends AnnotationBasedArgumentsProvider<OnBothDatabases> {

    @Override
    protected Stream<? extends Arguments> provideArguments(
            ParameterDeclarations parameters, ExtensionContext context, OnBothDatabases annotation) {
        return Arrays.stream(Database.values())
                .map(kind ->
                        Arguments.of(RunningLedger.startAndOwn(TestDatabase.create(kind), annotation.properties())));
    }
}
