import { z } from 'zod';
import { crossErrors } from './config-rules.js';
import {
  cnpj,
  darkColour,
  delays,
  explorerUrl,
  flag,
  keySetFile,
  headerList,
  list,
  mailbox,
  masterKey,
  networks,
  oneOf,
  origins,
  postgresUrl,
  postgresUrls,
  readableFile,
  redisUrl,
  share,
  subgraphUrls,
  svgFile,
  url,
  whole,
  wholeIfGiven,
} from './config-fields.js';

/** Networks that cannot be reached from outside: loopback, private, unique local and link-local (RFC 1918, RFC 4193, RFC 4291). */
const ownNetworks: readonly string[] = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
];

/** The configuration of one process. `process.env` is read only here; parsing reports all errors together. */
const environment = z.object({
  NODE_ENV: oneOf('development', 'test', 'production').default('development'),
  ROLE: z
    .string()
    .regex(
      /^(all|gateway|worker|migrate|subgraph:[a-z-]+)$/,
      'must be all, gateway, worker, migrate or subgraph:<name>',
    )
    .default('all'),
  PORT: whole(4000, 0, 65535),
  HOST: z.string().min(1).optional(),
  PUBLIC_URL: url('http', 'https').optional(),
  OPERATOR_URL: url('http', 'https').optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_ADMIN_URL: postgresUrl.optional(),
  DATABASE_POOL: whole(20, 2, 500),
  DATABASE_STATEMENT_TIMEOUT: whole(30, 1, 30),
  DATABASE_REPLICA_URLS: postgresUrls,
  REPLICA_MAX_LAG: whole(2, 1, 60),
  REDIS_URL: redisUrl.optional(),
  SMTP_URL: url('smtp', 'smtps').optional(),
  MAIL_FROM: mailbox.default('Lastro <no-reply@lastro.localhost>'),
  MASTER_KEY: masterKey.optional(),
  MASTER_KEY_PREVIOUS: masterKey.optional(),
  DEMO: flag,
  LASTRO_OPERATOR_KEY: z.string().max(200).optional(),
  DRAIN_SECONDS: whole(0, 0, 300),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  METRICS_ALLOW: networks,
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headerList,
  OTEL_SERVICE_NAME: z.string().min(1).max(100).default('lastro'),
  OTEL_TRACES_SAMPLER: oneOf('parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio').default(
    'parentbased_always_on',
  ),
  OTEL_TRACES_SAMPLER_ARG: share(1),
  OTEL_BSP_SCHEDULE_DELAY: whole(5_000, 10, 60_000),
  OTEL_TRUST_INCOMING: networks,
  SUBGRAPH_URLS: subgraphUrls,
  ROUTER_JWKS_FILE: keySetFile.optional(),
  ROUTER_ISSUER: z.string().min(1).max(500).optional(),
  PORTAL_AUTH_URL: url('http', 'https').optional(),
  INVENTORY_MAX_CONTRACTS: whole(5000, 1, 1_000_000),
  IMPORT_SETTLED_PRICE_DAYS: whole(5, 0, 3650),
  CHAIN_RPC_URL: url('http', 'https').optional(),
  CHAIN_ID: whole(0, 1, 2_147_483_647),
  CHAIN_NETWORK: z.string().min(1).max(100).optional(),
  CHAIN_EXPLORER_URL: explorerUrl.optional(),
  CHAIN_CONFIRMATIONS: whole(64, 1, 100_000),
  HOUSE_NAME: z.string().min(1).max(40).default('Lastro'),
  HOUSE_TAX_ID: cnpj.optional(),
  HOUSE_LOGO_FILE: svgFile.optional(),
  HOUSE_COLOUR: darkColour.optional(),
  RATE_LIMIT_PUBLIC: whole(100, 1, 10_000_000),
  RATE_LIMIT_PAGES: whole(1_000, 10, 10_000_000),
  RATE_LIMIT_ACCOUNTS: whole(20, 1, 10_000_000),
  RATE_LIMIT_SESSION: whole(120, 1, 10_000_000),
  RATE_LIMIT_API_KEY: whole(60, 1, 10_000_000),
  RATE_LIMIT_CLIENT: whole(600, 1, 10_000_000),
  RATE_LIMIT_GRAPHQL: whole(30_000, 1, 1_000_000_000),
  REQUEST_LOG_DAYS: whole(0, 0, 90),
  REQUESTS_MAX_IN_FLIGHT: whole(64, 4, 10_000),
  REQUESTS_MAX_WAITING: whole(2_000, 1, 100_000),
  REQUESTS_MAX_WAIT_MS: whole(600, 10, 10_000),
  CONNECTIONS_MAX: whole(16_000, 10, 1_000_000),
  CONNECTIONS_MAX_PER_NETWORK: wholeIfGiven(1, 1_000_000),
  SOCKETS_MAX: whole(10_000, 1, 1_000_000),
  SOCKETS_MAX_PER_NETWORK: whole(200, 1, 1_000_000),
  SUBSCRIPTIONS_MAX: whole(5_000, 1, 1_000_000),
  SUBSCRIPTIONS_MAX_PER_NETWORK: whole(500, 1, 1_000_000),
  SUBSCRIPTIONS_MAX_PER_OWNER: whole(500, 1, 1_000_000),
  REQUIRE_HTTPS: flag,
  TRUST_PROXY: networks,
  TLS_CERT_FILE: readableFile.optional(),
  TLS_KEY_FILE: readableFile.optional(),
  TLS_PORT: whole(4443, 0, 65535),
  ALLOWED_HOSTS: list,
  ALLOWED_ORIGINS: origins,
  GRAPH_ACCELERATOR: oneOf('on', 'off').default('on'),
  GRAPHQL_INTROSPECTION: flag,
  GRAPHQL_SDL: flag,
  GRAPHQL_MAX_DEPTH: whole(12, 1, 100),
  GRAPHQL_MAX_ALIASES: whole(30, 0, 10_000),
  GRAPHQL_MAX_DIRECTIVES: whole(50, 0, 10_000),
  GRAPHQL_MAX_TOKENS: whole(2000, 10, 100_000),
  GRAPHQL_MAX_BODY_BYTES: whole(102_400, 1_024, 10_485_760),
  GRAPHQL_MAX_COST: whole(10_000, 1, 10_000_000),
  GRAPHQL_SAFELIST_FILE: readableFile.optional(),
  ENVIRONMENT: oneOf('production', 'sandbox').default('production'),
  PROCESSING_GRACE: whole(30, 0, 86_400),
  WITHDRAWAL_APPROVAL_ABOVE: whole(100_000, 0, 1_000_000_000),
  WITHDRAWAL_TRAVEL_RULE_ABOVE: wholeIfGiven(0, 1_000_000_000),
  WITHDRAWAL_ADDRESS_COOLING: whole(24, 0, 720),
  WEBHOOK_RETRIES: delays('1m,5m,30m,2h,12h', { '2026-01-10': '1m,5m,15m,1h,4h' }),
  WEBHOOK_CONCURRENCY: whole(512, 4, 10_000),
  WEBHOOK_CONCURRENCY_PER_SUBSCRIPTION: whole(25, 1, 1000),
  WEBHOOK_ALLOW_INSECURE: flag,
});

/** Rejected configuration: all errors together, each with the name of its variable. */
export class ConfigError extends Error {
  constructor(readonly errors: readonly string[]) {
    super(
      `The configuration has ${errors.length === 1 ? 'an error' : `${errors.length} errors`}:\n${errors.map((error) => `  - ${error}`).join('\n')}`,
    );
  }
}

/** Parses every variable and applies the defaults. @throws {ConfigError} with all errors */
function parse(source: Readonly<Record<string, string | undefined>>): z.output<typeof environment> {
  // An empty variable counts as unset, since shells and compose files leave them empty.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = environment.safeParse(given);
  const own = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  const errors = [...own, ...crossErrors(given)];
  if (!parsed.success || errors.length > 0) throw new ConfigError(errors);
  return parsed.data;
}

function keyOf(text: string | undefined): Buffer | undefined {
  return text === undefined ? undefined : Buffer.from(text, 'base64');
}

function databaseOf(env: ReturnType<typeof parse>) {
  return {
    url: env.DATABASE_URL,
    /** Direct, past any pooler. */
    ownerUrl: env.DATABASE_ADMIN_URL,
    poolSize: env.DATABASE_POOL,
    statementTimeoutMs: env.DATABASE_STATEMENT_TIMEOUT * 1000,
    /** Standbys from which published data is read. */
    replicaUrls: env.DATABASE_REPLICA_URLS,
    /** How old what a replica shows may be. */
    replicaMaxLagMs: env.REPLICA_MAX_LAG * 1000,
  };
}

function limitsOf(env: ReturnType<typeof parse>) {
  return {
    rateLimits: {
      public: env.RATE_LIMIT_PUBLIC,
      pages: env.RATE_LIMIT_PAGES,
      accounts: env.RATE_LIMIT_ACCOUNTS,
      session: env.RATE_LIMIT_SESSION,
      apiKey: env.RATE_LIMIT_API_KEY,
      client: env.RATE_LIMIT_CLIENT,
      graphql: env.RATE_LIMIT_GRAPHQL,
    },
    requests: {
      maxInFlight: env.REQUESTS_MAX_IN_FLIGHT,
      maxWaiting: env.REQUESTS_MAX_WAITING,
      maxWaitMs: env.REQUESTS_MAX_WAIT_MS,
    },
    connections: connectionsOf(env),
    sockets: { max: env.SOCKETS_MAX, maxPerNetwork: env.SOCKETS_MAX_PER_NETWORK },
    subscriptions: subscriptionsOf(env),
  };
}

/** Lets libraries that look at NODE_ENV (React) run in their production form where it is not set. Call it before they are imported. */
export function useProductionLibraries(): void {
  process.env['NODE_ENV'] ??= 'production';
}

/** Parses the environment. @throws {ConfigError} with every error at once. */
export function loadConfig(source: Readonly<Record<string, string | undefined>> = process.env) {
  const env = parse(source);
  const production = env.NODE_ENV === 'production';
  return {
    production,
    test: env.NODE_ENV === 'test',
    role: env.ROLE,
    /** How long the process still serves after the signal to stop, while others take over. */
    drainMs: env.DRAIN_SECONDS * 1000,
    host: env.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    port: env.PORT,
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
    /** The address at which operators log in by a browser; undefined where that is the public one. */
    operatorUrl: env.OPERATOR_URL?.replace(/\/+$/, ''),
    dataDir: env.DATA_DIR,
    database: databaseOf(env),
    redisUrl: env.REDIS_URL,
    mail: { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM },
    masterKey: keyOf(env.MASTER_KEY),
    masterKeyPrevious: keyOf(env.MASTER_KEY_PREVIOUS),
    demo: env.DEMO ?? !production,
    /** The operator's key under which the command line runs. */
    operatorKey: env.LASTRO_OPERATOR_KEY,
    logLevel: env.LOG_LEVEL,
    subgraphUrls: env.SUBGRAPH_URLS,
    router: routerOf(env),
    portalAuthUrl: env.PORTAL_AUTH_URL,
    inventoryMaxContracts: env.INVENTORY_MAX_CONTRACTS,
    /** Whose pages these are. */
    house: { name: env.HOUSE_NAME, taxId: env.HOUSE_TAX_ID, logoFile: env.HOUSE_LOGO_FILE, colour: env.HOUSE_COLOUR },
    importSettledPriceDays: env.IMPORT_SETTLED_PRICE_DAYS,
    /** The chain of the token contracts; undefined when none is configured. */
    chain: chainOf(env),
    /** Whether trading accepts only synthetic calls. */
    sandbox: env.ENVIRONMENT === 'sandbox',
    ...limitsOf(env),
    /** For how many days requests made with keys are stored; 0 stores none. */
    requestLogDays: env.REQUEST_LOG_DAYS,
    /** Networks that may read the metrics; undefined admits everybody. */
    metricsAllow: env.METRICS_ALLOW.length > 0 ? env.METRICS_ALLOW : production ? ownNetworks : undefined,
    tracing: tracingOf(env),
    requireHttps: env.REQUIRE_HTTPS ?? production,
    trustProxy: env.TRUST_PROXY,
    tls:
      env.TLS_CERT_FILE === undefined || env.TLS_KEY_FILE === undefined
        ? undefined
        : { certFile: env.TLS_CERT_FILE, keyFile: env.TLS_KEY_FILE, port: env.TLS_PORT },
    allowedHosts: env.ALLOWED_HOSTS,
    allowedOrigins: env.ALLOWED_ORIGINS,
    /** Whether compiled plans run in front of Apollo Gateway. */
    accelerated: env.GRAPH_ACCELERATOR === 'on',
    graphql: {
      introspection: env.GRAPHQL_INTROSPECTION ?? !production,
      /** Whether the schema can be downloaded as a file. */
      sdl: env.GRAPHQL_SDL ?? !production,
      maxDepth: env.GRAPHQL_MAX_DEPTH,
      maxAliases: env.GRAPHQL_MAX_ALIASES,
      maxDirectives: env.GRAPHQL_MAX_DIRECTIVES,
      maxTokens: env.GRAPHQL_MAX_TOKENS,
      maxCost: env.GRAPHQL_MAX_COST,
      maxBodyBytes: env.GRAPHQL_MAX_BODY_BYTES,
      safelistFile: env.GRAPHQL_SAFELIST_FILE,
    },
    creditAssignment: {
      /** How long a submitted batch can still be cancelled. */
      processingGraceMs: env.PROCESSING_GRACE * 1000,
    },
    /** Amounts in whole BRL. */
    transfers: {
      /** Above it, a withdrawal needs the approval of two operators. */
      approvalAbove: env.WITHDRAWAL_APPROVAL_ABOVE,
      /** Above it, a withdrawal to a chain must name its beneficiary; undefined if none must. */
      travelRuleAbove: env.WITHDRAWAL_TRAVEL_RULE_ABOVE,
      /** How long a new address of a company's list waits before it may be used. */
      coolingMs: env.WITHDRAWAL_ADDRESS_COOLING * 3_600_000,
    },
    webhooks: {
      /** Milliseconds between consecutive attempts; there is one attempt more than there are delays. */
      retryDelaysMs: env.WEBHOOK_RETRIES,
      concurrency: env.WEBHOOK_CONCURRENCY,
      concurrencyPerSubscription: env.WEBHOOK_CONCURRENCY_PER_SUBSCRIPTION,
      /** Whether receivers may be on loopback, and there without TLS. */
      allowInsecure: env.WEBHOOK_ALLOW_INSECURE ?? false,
    },
  };
}

export type Config = ReturnType<typeof loadConfig>;

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
function tracingOf(env: TracingVariables) {
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
    trustIncoming: env.OTEL_TRUST_INCOMING,
  };
}

function chainOf(env: {
  readonly CHAIN_ID: number;
  readonly CHAIN_NETWORK?: string | undefined;
  readonly CHAIN_RPC_URL?: string | undefined;
  readonly CHAIN_EXPLORER_URL?: string | undefined;
  readonly CHAIN_CONFIRMATIONS: number;
}) {
  if (env.CHAIN_NETWORK === undefined) return undefined;
  return {
    id: env.CHAIN_ID,
    network: env.CHAIN_NETWORK,
    rpcUrl: env.CHAIN_RPC_URL,
    explorerUrl: env.CHAIN_EXPLORER_URL,
    confirmations: env.CHAIN_CONFIRMATIONS,
  };
}

/** Another federation router that may call the subgraphs; undefined when none is configured. */
function routerOf(env: {
  readonly ROUTER_JWKS_FILE?: z.output<typeof keySetFile> | undefined;
  readonly ROUTER_ISSUER?: string | undefined;
}) {
  if (env.ROUTER_JWKS_FILE === undefined || env.ROUTER_ISSUER === undefined) return undefined;
  return { keys: env.ROUTER_JWKS_FILE, issuer: env.ROUTER_ISSUER };
}

/** The limits of connections. A subgraph of its own is called by gateways and routers, each of which brings the callers of many networks from one address. */
function connectionsOf(env: {
  readonly ROLE: string;
  readonly CONNECTIONS_MAX: number;
  readonly CONNECTIONS_MAX_PER_NETWORK?: number | undefined;
}) {
  const { ROLE: role, CONNECTIONS_MAX: max, CONNECTIONS_MAX_PER_NETWORK: maxPerNetwork } = env;
  return { max, maxPerNetwork: maxPerNetwork ?? (role.startsWith('subgraph:') ? max : 2_000) };
}

function subscriptionsOf(env: {
  readonly SUBSCRIPTIONS_MAX: number;
  readonly SUBSCRIPTIONS_MAX_PER_NETWORK: number;
  readonly SUBSCRIPTIONS_MAX_PER_OWNER: number;
}) {
  return {
    max: env.SUBSCRIPTIONS_MAX,
    maxPerNetwork: env.SUBSCRIPTIONS_MAX_PER_NETWORK,
    maxPerOwner: env.SUBSCRIPTIONS_MAX_PER_OWNER,
  };
}
