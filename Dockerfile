# ./mvnw -q -DskipTests package && docker build -t ledger .
# docker run -p 8080:8080 -v ledger-data:/ledger/data --read-only --tmpfs /tmp ledger
FROM eclipse-temurin:17-jre AS layers
WORKDIR /build
COPY ledger-app/target/ledger-app.jar ledger-app.jar
# Seldom-changing layers first; the jar in "application" has a manifest whose class path is lib/.
RUN java -Djarmode=tools -jar ledger-app.jar extract --layers --destination extracted

FROM eclipse-temurin:17-jre
WORKDIR /ledger
RUN useradd --system --uid 10001 --home-dir /ledger ledger && install -d -o ledger -g ledger -m 0700 /ledger/data
COPY --from=layers /build/extracted/dependencies/ ./
COPY --from=layers /build/extracted/spring-boot-loader/ ./
COPY --from=layers /build/extracted/snapshot-dependencies/ ./
COPY --from=layers /build/extracted/application/ ./
# A start on a database in memory writes down which classes a start needs: the archive halves the time of each later one.
RUN java -XX:ArchiveClassesAtExit=ledger.jsa -Dspring.context.exit=onRefresh -jar ledger-app.jar --spring.datasource.url=jdbc:h2:mem:training --ledger.security.initial-key-file=/tmp/training-key
USER 10001
VOLUME /ledger/data
EXPOSE 8080
# The image may have no curl; Java itself asks, and exits with 0 for a 200.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["java", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xmx32m", "-cp", "ledger-app.jar", "dev.ledger.app.start.HealthCheck"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["java", "-XX:SharedArchiveFile=ledger.jsa", "-jar", "ledger-app.jar"]
