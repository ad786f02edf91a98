package dev.ledger.domain.balance;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.ledger.domain", importOptions = ImportOption.DoNotIncludeTests.class)
class DomainBoundaryTest {

    @ArchTest
    static final ArchRule theDomainKnowsNobody = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.ledger.domain..", "java..", "org.axonframework..", "org.jspecify..");

    @ArchTest
    static final ArchRule theRuleKnowsNoFramework = noClasses()
            .that()
            .haveSimpleNameNotContaining("Aggregate")
            .and()
            .doNotHaveSimpleName("ApplyDelta")
            .and()
            .doNotHaveSimpleName("DeltaApplied")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.axonframework..");
}
