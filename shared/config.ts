import { z } from 'zod';
import {
  delays,
  explorerUrl,
  flag,
  list,
  mailbox,
  masterKey,
  networks,
  oneOf,
  origins,
  readableFile,
  subgraphUrls,
  url,
  whole,
} from './config-fields.js';

/** Addresses that no one outside has: loopback, private, unique local and link-local (RFC 1918, RFC 4193, RFC 4291). */
const ownNetworks: readonly string[] = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
];

/** The configuration of one process. `process.env` is read here and nowhere else, whole, and fails whole. */
const environment = z.object({
  NODE_ENV: oneOf('development', 'test', 'production').default('development'),
  ROLE: z
    .string()
    .regex(/^(all|gateway|worker|subgraph:[a-z-]+)$/, 'must be all, gateway, worker or subgraph:<name>')
    .default('all'),
  PORT: whole(4000, 0, 65535),
  HOST: z.string().min(1).optional(),
  PUBLIC_URL: url('http', 'https').optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: url('postgres', 'postgresql').optional(),
  DATABASE_POOL: whole(20, 2, 500),
  REDIS_URL: url('redis', 'rediss').optional(),
  SMTP_URL: url('smtp', 'smtps').optional(),
  MAIL_FROM: mailbox.default('Lastro <no-reply@lastro.localhost>'),
  MASTER_KEY: masterKey.optional(),
  DEMO: flag,
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  METRICS_ALLOW: networks,
  SUBGRAPH_URLS: subgraphUrls,
  PORTAL_AUTH_URL: url('http', 'https').optional(),
  INVENTORY_MAX_CONTRACTS: whole(5000, 1, 1_000_000),
  CHAIN_RPC_URL: url('http', 'https').optional(),
  CHAIN_ID: whole(0, 1, 2_147_483_647),
  CHAIN_NETWORK: z.string().min(1).max(100).optional(),
  CHAIN_EXPLORER_URL: explorerUrl.optional(),
  CHAIN_CONFIRMATIONS: whole(64, 1, 100_000),
  RATE_LIMIT_PUBLIC: whole(100, 1, 10_000_000),
  RATE_LIMIT_ACCOUNTS: whole(20, 1, 10_000_000),
  RATE_LIMIT_SESSION: whole(120, 1, 10_000_000),
  RATE_LIMIT_API_KEY: whole(60, 1, 10_000_000),
  RATE_LIMIT_CLIENT: whole(600, 1, 10_000_000),
  RATE_LIMIT_GRAPHQL: whole(30_000, 1, 1_000_000_000),
  SOCKETS_MAX: whole(10_000, 1, 1_000_000),
  SOCKETS_MAX_PER_NETWORK: whole(200, 1, 1_000_000),
  REQUIRE_HTTPS: flag,
  TRUST_PROXY: networks,
  TLS_CERT_FILE: readableFile.optional(),
  TLS_KEY_FILE: readableFile.optional(),
  TLS_PORT: whole(4443, 0, 65535),
  ALLOWED_HOSTS: list,
  ALLOWED_ORIGINS: origins,
  GRAPHQL_INTROSPECTION: flag,
  GRAPHQL_MAX_DEPTH: whole(12, 1, 100),
  GRAPHQL_MAX_ALIASES: whole(30, 0, 10_000),
  GRAPHQL_MAX_DIRECTIVES: whole(50, 0, 10_000),
  GRAPHQL_MAX_TOKENS: whole(2000, 10, 100_000),
  GRAPHQL_MAX_COST: whole(10_000, 1, 10_000_000),
  GRAPHQL_SAFELIST_FILE: readableFile.optional(),
  PROCESSING_GRACE: whole(30, 0, 86_400),
  WEBHOOK_RETRIES: delays('1m,5m,30m,2h,12h', { '2026-01-10': '1m,5m,15m,1h,4h' }),
  WEBHOOK_CONCURRENCY: whole(512, 4, 10_000),
  WEBHOOK_CONCURRENCY_PER_SUBSCRIPTION: whole(25, 1, 1000),
  WEBHOOK_ALLOW_INSECURE: flag,
});

/** Connections of the embedded server, less those that it and the command line keep. */
const embeddedPool = 45;

type Environment = z.output<typeof environment>;

/** Refused configuration: every fault at once, each with the name of the variable. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
  }
}

/** Faults between variables, which no single one of them shows. Read from the text, so that they are told beside the others. */
function crossFaults(given: Readonly<Record<string, string | undefined>>): string[] {
  const faults: string[] = [];
  const must = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault);
  };
  const has = (name: keyof Environment) => given[name] !== undefined;
  const production = given['NODE_ENV'] === 'production';
  const role = given['ROLE'] ?? 'all';
  const pool = Number(given['DATABASE_POOL'] ?? 0);
  must(
    has('DATABASE_URL') || !(pool > embeddedPool),
    `DATABASE_POOL is at most ${embeddedPool} with the embedded database`,
  );
  must(has('TLS_CERT_FILE') === has('TLS_KEY_FILE'), 'TLS_CERT_FILE and TLS_KEY_FILE come together or not at all');
  must(!production || has('MASTER_KEY'), 'MASTER_KEY is required in production: `openssl rand -base64 32` makes one');
  must(!production || has('PUBLIC_URL'), 'PUBLIC_URL is required in production: links in mail begin with it');
  must(
    !production || has('SMTP_URL'),
    'SMTP_URL is required in production: the development mailbox does not exist there',
  );
  must(
    has('CHAIN_ID') === has('CHAIN_NETWORK'),
    'CHAIN_ID and CHAIN_NETWORK come together or not at all, as 137 and Polygon',
  );
  must(
    !has('CHAIN_RPC_URL') || has('CHAIN_ID'),
    'CHAIN_ID is required with CHAIN_RPC_URL: the node must be of that chain',
  );
  if (role !== 'all') {
    must(has('DATABASE_URL'), `DATABASE_URL is required with ROLE=${role}: the parts share one database`);
    must(
      has('REDIS_URL'),
      `REDIS_URL is required with ROLE=${role}: events and limits reach the other parts through it`,
    );
    must(production || has('MASTER_KEY'), `MASTER_KEY is required with ROLE=${role}: the parts trust each other by it`);
  }
  must(
    role !== 'gateway' || has('SUBGRAPH_URLS'),
    'SUBGRAPH_URLS is required with ROLE=gateway, as accounts=http://host:port/graphql,…',
  );
  return faults;
}

/** Every variable parsed, with defaults. Throws `ConfigError` with every fault. */
function parse(source: Readonly<Record<string, string | undefined>>): Environment {
  // An empty variable means one that is not set, as shells and compose files leave them.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = environment.safeParse(given);
  const own = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  const faults = [...own, ...crossFaults(given)];
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  return parsed.data;
}

/**
 * Parses the environment.
 * @throws {ConfigError} with every fault at once.
 */
export function loadConfig(source: Readonly<Record<string, string | undefined>> = process.env) {
  const env = parse(source);
  const production = env.NODE_ENV === 'production';
  return {
    production,
    test: env.NODE_ENV === 'test',
    role: env.ROLE,
    host: env.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    port: env.PORT,
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
    dataDir: env.DATA_DIR,
    database: { url: env.DATABASE_URL, poolSize: env.DATABASE_POOL },
    redisUrl: env.REDIS_URL,
    mail: { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM },
    masterKey: env.MASTER_KEY === undefined ? undefined : Buffer.from(env.MASTER_KEY, 'base64'),
    demo: env.DEMO ?? !production,
    logLevel: env.LOG_LEVEL,
    subgraphUrls: env.SUBGRAPH_URLS,
    portalAuthUrl: env.PORTAL_AUTH_URL,
    inventoryMaxContracts: env.INVENTORY_MAX_CONTRACTS,
    /** The chain of the token contracts; undefined where there is none. */
    chain:
      env.CHAIN_NETWORK === undefined
        ? undefined
        : {
            id: env.CHAIN_ID,
            network: env.CHAIN_NETWORK,
            rpcUrl: env.CHAIN_RPC_URL,
            explorerUrl: env.CHAIN_EXPLORER_URL,
            confirmations: env.CHAIN_CONFIRMATIONS,
          },
    rateLimits: {
      public: env.RATE_LIMIT_PUBLIC,
      accounts: env.RATE_LIMIT_ACCOUNTS,
      session: env.RATE_LIMIT_SESSION,
      apiKey: env.RATE_LIMIT_API_KEY,
      client: env.RATE_LIMIT_CLIENT,
      graphql: env.RATE_LIMIT_GRAPHQL,
    },
    sockets: { max: env.SOCKETS_MAX, maxPerNetwork: env.SOCKETS_MAX_PER_NETWORK },
    /** Who may read the metrics; undefined is everyone. */
    metricsAllow: env.METRICS_ALLOW.length > 0 ? env.METRICS_ALLOW : production ? ownNetworks : undefined,
    requireHttps: env.REQUIRE_HTTPS ?? production,
    trustProxy: env.TRUST_PROXY,
    tls:
      env.TLS_CERT_FILE === undefined || env.TLS_KEY_FILE === undefined
        ? undefined
        : { certFile: env.TLS_CERT_FILE, keyFile: env.TLS_KEY_FILE, port: env.TLS_PORT },
    allowedHosts: env.ALLOWED_HOSTS,
    allowedOrigins: env.ALLOWED_ORIGINS,
    graphql: {
      introspection: env.GRAPHQL_INTROSPECTION ?? !production,
      maxDepth: env.GRAPHQL_MAX_DEPTH,
      maxAliases: env.GRAPHQL_MAX_ALIASES,
      maxDirectives: env.GRAPHQL_MAX_DIRECTIVES,
      maxTokens: env.GRAPHQL_MAX_TOKENS,
      maxCost: env.GRAPHQL_MAX_COST,
      safelistFile: env.GRAPHQL_SAFELIST_FILE,
    },
    creditAssignment: {
      /** How long a batch that was submitted can still be cancelled. */
      processingGraceMs: env.PROCESSING_GRACE * 1000,
    },
    webhooks: {
      /** Milliseconds between one attempt and the next; one attempt more than there are of these. */
      retryDelaysMs: env.WEBHOOK_RETRIES,
      concurrency: env.WEBHOOK_CONCURRENCY,
      concurrencyPerSubscription: env.WEBHOOK_CONCURRENCY_PER_SUBSCRIPTION,
      /** Whether receivers may be on loopback, and there without TLS. */
      allowInsecure: env.WEBHOOK_ALLOW_INSECURE ?? false,
    },
  };
}

export type Config = ReturnType<typeof loadConfig>;
