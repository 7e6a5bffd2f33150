export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** The servers that REDIS_URL names: one, the primary that sentinels name, or a cluster. */
export type RedisAddress =
  | { readonly kind: 'single'; readonly url: string }
  | ({ readonly kind: 'sentinel'; readonly primary: string; readonly sentinelUser: RedisUser } & SeveralServers)
  | ({ readonly kind: 'cluster' } & SeveralServers);

interface SeveralServers {
  readonly nodes: readonly RedisNode[];
  readonly user: RedisUser;
  readonly db: number;
  readonly tls: boolean;
}

/** A user of Redis' ACL; a password without a user name belongs to the default user. */
export interface RedisUser {
  readonly username?: string;
  readonly password?: string;
}

const several =
  /^(rediss?)\+(sentinel|cluster):\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([\w.-]*))?(?:\/(\d{1,2}))?\/?(?:\?([^#]*))?$/;

const defaultPorts = { sentinel: 26_379, cluster: 6_379 } as const;

/**
 * Parses an address in one of three forms; `rediss` in place of `redis` asks for TLS:
 * - `redis://user:password@host:6379/0`
 * - `redis+sentinel://user:password@host:26379,host:26379/name/0`, where `name` is the primary's name among the sentinels; their own user and password,
 *   where they have one, follow as `?sentinelUsername=…&sentinelPassword=…`
 * - `redis+cluster://user:password@host:6379,host:6379`
 * @returns undefined for any other text
 */
export function parseRedisAddress(text: string): RedisAddress | undefined {
  if (URL.canParse(text) && ['redis:', 'rediss:'].includes(new URL(text).protocol))
    return { kind: 'single', url: text };
  const [, scheme, kind, credentials, hosts = '', primary = '', db = '0', query = ''] = several.exec(text) ?? [];
  if (kind !== 'sentinel' && kind !== 'cluster') return undefined;
  const nodes = hosts.split(',').map((host) => nodeOf(host, defaultPorts[kind]));
  const user = userOf(credentials);
  if (user === undefined || !nodes.every((node) => node !== undefined)) return undefined;
  const common = { nodes, user, db: Number(db), tls: scheme === 'rediss' };
  // A cluster has one database, and no primary by name.
  if (kind === 'cluster') return primary === '' && query === '' ? { kind, ...common } : undefined;
  const asked = new URLSearchParams(query);
  const sentinelUser = {
    ...given('username', asked.get('sentinelUsername') ?? ''),
    ...given('password', asked.get('sentinelPassword') ?? ''),
  };
  return primary === '' ? undefined : { kind, primary, sentinelUser, ...common };
}

function nodeOf(text: string, defaultPort: number): RedisNode | undefined {
  const [, bracketed, name, port] = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? name;
  if (host === undefined || Number(port) > 65_535) return undefined;
  return { host, port: port === undefined ? defaultPort : Number(port) };
}

/** Returns the user of `name:password`, both percent-encoded; undefined where the encoding is wrong. */
function userOf(credentials = ''): RedisUser | undefined {
  const [username = '', password = ''] = credentials.split(/:(.*)/s);
  try {
    return {
      ...given('username', decodeURIComponent(username)),
      ...given('password', decodeURIComponent(password)),
    };
  } catch {
    return undefined;
  }
}

function given(name: keyof RedisUser, value: string): RedisUser {
  return value === '' ? {} : { [name]: value };
}
