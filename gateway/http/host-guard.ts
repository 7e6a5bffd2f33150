import type { Config } from '../../shared/kernel/config.js';
import { ApiError } from '../../shared/kernel/errors.js';

/** Refuses a request that a page of another site could have made: see `createHostGuard`. */
export type HostGuard = (headers: { readonly host?: string | undefined; readonly origin?: string | undefined }) => void;

const hostForm = /^(\[[\da-f:.]+\]|[a-z\d.-]+)(?::\d{1,5})?$/;
const loopback = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Guards against DNS rebinding. `Host` must be the public name or one of `ALLOWED_HOSTS` (with the port of its entry, if any), `Origin` the public
 * address or one of `ALLOWED_ORIGINS`; in development, loopback is allowed too. @returns a function that throws FORBIDDEN
 */
export function createHostGuard(
  config: Pick<Config, 'publicUrl' | 'allowedHosts' | 'allowedOrigins' | 'production'>,
): HostGuard {
  const home = new URL(config.publicUrl);
  const local = config.production ? [] : loopback;
  const hosts = new Set([home.hostname, ...config.allowedHosts, ...local].map((host) => host.toLowerCase()));
  const origins = new Set([home.origin, ...config.allowedOrigins].map((origin) => origin.toLowerCase()));

  const knowsHost = (host: string) => {
    const name = hostForm.exec(host)?.[1];
    return name !== undefined && (hosts.has(name) || hosts.has(host));
  };
  const knowsOrigin = (origin: string) =>
    origins.has(origin) || (URL.canParse(origin) && local.includes(new URL(origin).hostname));

  return ({ host, origin }) => {
    if (host === undefined || !knowsHost(host.toLowerCase()))
      throw new ApiError('FORBIDDEN', { message: 'The Host header does not name this service' });
    if (origin !== undefined && !knowsOrigin(origin.toLowerCase()))
      throw new ApiError('FORBIDDEN', { message: 'The Origin header names a page that may not use this service' });
  };
}
