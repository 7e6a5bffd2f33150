import type { Registry } from 'prom-client';
import type { Config } from '../../shared/config.js';
import type { ContextMaker } from './context.js';
import type { Limiter } from './limiter.js';
import type { ReadyChecks } from './readiness.js';
import type { Callers } from './route-policy.js';

/** Options of the edge: a part of the configuration, and its access to callers, limits and readiness checks. */
export interface EdgeOptions extends ContextMaker {
  readonly config: Pick<
    Config,
    | 'allowedOrigins'
    | 'connections'
    | 'host'
    | 'metricsAllow'
    | 'publicUrl'
    | 'rateLimits'
    | 'requests'
    | 'requireHttps'
    | 'tls'
    | 'trustProxy'
  >;
  readonly callers: Callers;
  readonly limiter: Limiter;
  readonly registry: Registry;
  readonly checks: ReadyChecks;
}
