import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { backlog } from '../gateway/edge/transport.js';
import { localDataSource } from '../gateway/graph/data-source.js';
import { subgraphPlugin } from '../gateway/remote-subgraphs/plugin.js';
import { remoteDataSources } from '../gateway/remote-subgraphs/remote-data-sources.js';
import type { Config } from '../shared/config.js';
import type { Logger } from '../shared/log.js';
import type { NoteRequest } from '../shared/logged-request.js';
import { registerMetrics } from '../shared/metrics.js';
import { portalOverHttp } from '../subgraphs/accounts/accounts/portal.js';
import { createAuthenticator } from '../subgraphs/accounts/authenticate.js';
import { openAccountsPool } from '../subgraphs/accounts/pool.js';
import { droppedRequests, openRequestLog } from '../subgraphs/accounts/request-log/request-log.js';
import { openSigningOriginators } from '../subgraphs/credit-assignment/originators/signing-originators.js';
import { openTraders } from '../subgraphs/trading/access/traders.js';
import { nobody, openApp } from './app.js';
import { measureInfrastructure, startBackground } from './background.js';
import { openBrowserSessions } from './browser-sessions.js';
import { callersOf } from './callers.js';
import { closeAll } from './close-all.js';
import { openDemo } from './demo.js';
import { readSupergraph } from './supergraph.js';
import { openTransports, type TransportsOptions } from './transports.js';
import { openInfrastructure, type Infrastructure, type InfrastructureOptions } from './infrastructure.js';
import { openDomains, type DomainsOptions } from './subgraphs.js';

/** The running program, or the part of it that `ROLE` names. */
export interface Platform {
  /** Base address that it listens on, without a trailing slash. */
  readonly url: string;
  /** Port for TLS, where this process terminates it. */
  readonly tlsPort: number | undefined;
  readonly infrastructure: Infrastructure;
  /** Resolves with the reason when the program can no longer run. */
  readonly failed: Promise<string>;
  /** Shuts down gracefully: requests under way finish, sockets close, counts are written, the database stops. */
  close(): Promise<void>;
}

export interface PlatformOptions extends InfrastructureOptions {
  /** False leaves out relay, mail and jobs, for tests that inspect rows as they wrote them. */
  readonly background?: boolean;
  /** For tests: the heartbeat interval of sockets at `/ws`, and smaller limits for them. */
  readonly sockets?: TransportsOptions['sockets'];
  /** For tests: dependencies of the domains, where everything runs in one process. */
  readonly domains?: DomainsOptions;
}

/** Registers a resource to close. Resources are closed in the opposite order of their registration. */
type Opened = (close: () => Promise<unknown>) => void;

/** Opens a part of the program on its infrastructure and returns the application that then listens. */
type OpenPart = (infrastructure: Infrastructure, opened: Opened, options: PlatformOptions) => Promise<FastifyInstance>;

/** Opens the log of requests, where the configuration asks for it; it writes over the connections of the accounts. */
function openNoteRequest(infrastructure: Infrastructure, pool: Pool, opened: Opened): NoteRequest | undefined {
  const { config, registry, context } = infrastructure;
  if (config.requestLogDays === 0) return undefined;
  registerMetrics(registry, context, [droppedRequests]);
  const log = openRequestLog(pool, infrastructure);
  opened(() => log.close());
  return log.note;
}

/** Opens everything in one process. */
const openAll: OpenPart = async (infrastructure, opened, { background: works = true, sockets, domains: wiring }) => {
  const domains = await openDomains(infrastructure, wiring);
  opened(() => domains.close());
  const trading = await domains.trading.open(infrastructure.context);
  opened(() => trading.close());
  if (infrastructure.config.demo) await openDemo(infrastructure, domains);
  const callers = callersOf(
    domains.accounts.authenticator,
    domains.creditAssignment.signingOriginators,
    domains.trading.traders,
  );
  const app = openApp(infrastructure, callers, openNoteRequest(infrastructure, domains.accounts.pool, opened));
  const sources = Object.fromEntries(
    domains.all.map(({ name, schema }) => [name, localDataSource(schema, infrastructure.keyRing)]),
  );
  const browserSessions = openBrowserSessions(infrastructure, domains.accounts);
  const supergraphSdl = await readSupergraph();
  await openTransports(app, infrastructure, { supergraphSdl, sources, callers, sockets, browserSessions });
  if (works) {
    const background = await startBackground(infrastructure, domains);
    opened(() => background.close());
  }
  return app;
};

/** Opens the interfaces over subgraphs that run in other processes. */
const openGateway: OpenPart = async (infrastructure, opened, { sockets }) => {
  const { config, clock, log, keyRing, databaseUrl, audit } = infrastructure;
  const pool = openAccountsPool(databaseUrl, log);
  opened(() => pool.end());
  const authenticator = createAuthenticator({ pool, keyRing, clock, log, audit });
  opened(() => authenticator.close());
  const signingOriginators = openSigningOriginators({ databaseUrl, log });
  opened(() => signingOriginators.close());
  const traders = openTraders({ databaseUrl, keyRing, clock, log, audit });
  opened(() => traders.close());
  const callers = callersOf(authenticator, signingOriginators, traders);
  const supergraphSdl = await readSupergraph();
  const sources = remoteDataSources(supergraphSdl, config.subgraphUrls, { keyRing, clock });
  opened(() => Promise.all(Object.values(sources).map((source) => source.close())));
  const app = openApp(infrastructure, callers, openNoteRequest(infrastructure, pool, opened));
  const { portalAuthUrl } = config;
  const verifyPortalUser = portalAuthUrl === undefined ? undefined : portalOverHttp(portalAuthUrl);
  const browserSessions = openBrowserSessions(infrastructure, { authenticator, pool, verifyPortalUser });
  await openTransports(app, infrastructure, { supergraphSdl, sources, callers, sockets, browserSessions });
  return app;
};

/** Opens relay, mail and jobs, with no interface but the probes. */
const openWorker: OpenPart = async (infrastructure, opened) => {
  const domains = await openDomains(infrastructure);
  opened(() => domains.close());
  const background = await startBackground(infrastructure, domains);
  opened(() => background.close());
  return openApp(infrastructure, nobody);
};

/** Opens one domain for a gateway in another process. */
const openSubgraph =
  (wanted: string): OpenPart =>
  async (infrastructure, opened) => {
    const domains = await openDomains(infrastructure);
    opened(() => domains.close());
    const subgraph = domains.all.find(({ name }) => name === wanted);
    if (subgraph === undefined) {
      const known = domains.all.map(({ name }) => `subgraph:${name}`).join(', ');
      throw new Error(`There is no subgraph "${wanted}". Set ROLE to all, gateway, worker, ${known}`);
    }
    if (wanted === domains.trading.name) {
      const trading = await domains.trading.open(infrastructure.context);
      opened(() => trading.close());
    }
    const app = openApp(infrastructure, nobody);
    subgraphPlugin(app, { subgraph, keyRing: infrastructure.keyRing, router: infrastructure.config.router });
    return app;
  };

function partOf(role: string): OpenPart {
  if (role === 'gateway') return openGateway;
  if (role === 'worker') return openWorker;
  return role === 'all' ? openAll : openSubgraph(role.slice('subgraph:'.length));
}

/** Opens the part of the program that `ROLE` names, and listens. */
export async function openPlatform(config: Config, log: Logger, options: PlatformOptions = {}): Promise<Platform> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    await closeAll(closers.splice(0).reverse());
  };
  const opened: Opened = (act) => closers.push(act);
  try {
    const infrastructure = await openInfrastructure(config, log, options);
    opened(() => infrastructure.close());
    // First: metrics are read in the order of their registration, and those that are read from the database take connections of the pool themselves.
    measureInfrastructure(infrastructure);
    const app = await partOf(config.role)(infrastructure, opened, options);
    opened(() => app.close());
    const address = await app.listen({ host: config.host, port: config.port, backlog });
    const { tlsPort, departure } = app.edgeMaker;
    if (config.drainMs > 0) opened(() => departure.begin(config.drainMs));
    return {
      url: address.replace('127.0.0.1', 'localhost'),
      tlsPort,
      infrastructure,
      failed: infrastructure.failed,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
