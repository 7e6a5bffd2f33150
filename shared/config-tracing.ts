/** The variables of OpenTelemetry, parsed. */
interface TracingVariables {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_HEADERS: Readonly<Record<string, string>>;
  readonly OTEL_SERVICE_NAME: string;
  readonly OTEL_TRACES_SAMPLER: 'parentbased_always_on' | 'parentbased_always_off' | 'parentbased_traceidratio';
  readonly OTEL_TRACES_SAMPLER_ARG: number;
  readonly OTEL_BSP_SCHEDULE_DELAY: number;
  readonly OTEL_TRUST_INCOMING: readonly string[];
}

/** Returns where traces are sent, and which; undefined where none are. */
export function tracingOf(env: TracingVariables) {
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  const shares = {
    parentbased_always_on: 1,
    parentbased_always_off: 0,
    parentbased_traceidratio: env.OTEL_TRACES_SAMPLER_ARG,
  };
  return {
    endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, ''),
    headers: env.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: env.OTEL_SERVICE_NAME,
    /** The share of traces begun here that is recorded. */
    ratio: shares[env.OTEL_TRACES_SAMPLER],
    /** How long a span waits for others that are sent with it. */
    delayMs: env.OTEL_BSP_SCHEDULE_DELAY,
    /** Networks whose traces are continued. */
    trustIncoming: env.OTEL_TRUST_INCOMING,
  };
}
