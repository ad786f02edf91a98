package dev.ledger.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures;

/** Knowledge flows one way: the application knows the read models and the rule, never the reverse. */
@AnalyzeClasses(packages = "dev.ledger", importOptions = DoNotIncludeTests.class)
class ModuleBoundaryTest {

    @ArchTest
    static final ArchRule theApplicationKnowsTheProjectionsAndBothKnowTheDomain = Architectures.layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("dev.ledger..")
            .layer("domain")
            .definedBy("dev.ledger.domain..")
            .layer("projections")
            .definedBy("dev.ledger.projections..")
            .layer("app")
            .definedBy("dev.ledger.app..")
            .whereLayer("app")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("projections")
            .mayOnlyBeAccessedByLayers("app")
            .whereLayer("domain")
            .mayOnlyBeAccessedByLayers("projections", "app");

    @ArchTest
    static final ArchRule theDomainKnowsNoSpringNoDatabaseAndNoHttp = noClasses()
            .that()
            .resideInAPackage("dev.ledger.domain..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.springframework..",
                    "java.sql..",
                    "javax.sql..",
                    "jakarta.persistence..",
                    "jakarta.servlet..",
                    "org.hibernate..",
                    "tools.jackson..",
                    "com.fasterxml..");

    /** A reader can take the rooms one after the other. */
    @ArchTest
    static final ArchRule noRoomOfTheApplicationKnowsItselfThroughOthers =
            slices().matching("dev.ledger.app.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theProjectionsKnowNoHttp = noClasses()
            .that()
            .resideInAPackage("dev.ledger.projections..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework.web..", "org.springframework.security..", "jakarta.servlet..");
}
