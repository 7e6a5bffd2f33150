import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { collectDefaultMetrics } from 'prom-client';
import { z } from 'zod';
import { NotReady } from '../gateway/http/readiness.js';
import type { Callers } from '../gateway/http/route-policy.js';
import { createServer } from '../gateway/http/server.js';
import { backlog } from '../gateway/http/transport.js';
import { localDataSource } from '../gateway/graph/data-source.js';
import { subgraphPlugin } from '../gateway/graph/remote/plugin.js';
import type { BrowserSessions } from '../shared/security/browser-session.js';
import type { Config } from '../shared/kernel/config.js';
import { openDataFolder } from '../shared/kernel/data-folder.js';
import { lackingMigrations } from '../shared/database/migrate.js';
import type { Logger } from '../shared/kernel/log.js';
import type { NoteRequest } from '../shared/kernel/logged-request.js';
import { createMailQueue } from '../shared/work/mail/mail.js';
import { registerMetrics } from '../shared/kernel/metrics.js';
import { createRelay } from '../shared/events/outbox/relay.js';
import { houseLinks } from '../subgraphs/accounts/accounts/account.mails.js';
import { createLoginGuard } from '../subgraphs/accounts/accounts/login-guard.js';
import { portalOverHttp, type VerifyPortalUser } from '../subgraphs/accounts/accounts/portal.js';
import { createAuthenticator, type Authenticator } from '../subgraphs/accounts/authenticate.js';
import { createBrowserSessions } from '../subgraphs/accounts/browser-sessions/browser-sessions.js';
import { createDemo } from '../subgraphs/accounts/demo/demo.js';
import { findOwner } from '../subgraphs/accounts/accounts/account.store.js';
import { openAccountsPool } from '../subgraphs/accounts/pool.js';
import { droppedRequests, openRequestLog } from '../subgraphs/accounts/request-log/request-log.js';
import { sitesOf } from '../subgraphs/accounts/second-factors/relying-party.js';
import type { DemoOriginator } from '../subgraphs/credit-assignment/demo/demo-originator.js';
import { loadCreditDemo } from '../subgraphs/credit-assignment/demo/demo.js';
import {
  openSigningOriginators,
  type SigningOriginators,
} from '../subgraphs/credit-assignment/originators/signing-originators.js';
import { loadDemo } from '../subgraphs/issuances/demo/demo.js';
import { loadDemoContracts } from '../subgraphs/tokenization/chain/demo-contracts.js';
import { loadTokenizationDemo } from '../subgraphs/tokenization/demo/demo.js';
import { openDemoCompany } from '../subgraphs/trading/access/demo-company.js';
import { findCompanyById } from '../subgraphs/trading/access/access.store.js';
import { requireCredential } from '../subgraphs/trading/access/tokens.acts.js';
import { openTraders, type Traders } from '../subgraphs/trading/access/traders.js';
import { createErrorPage } from '../apps/site/error-page.js';
import { measureInfrastructure, startBackground } from './background.js';
import { closeAll } from './close-all.js';
import { openInfrastructure, type Infrastructure, type InfrastructureOptions } from './infrastructure.js';
import { migrations } from './migrations.js';
import { openDomains, type DomainsOptions, type Domains } from './subgraphs.js';
import { readSupergraph } from './supergraph.js';
import { openTransports, type TransportsOptions } from './transports.js';
import { isAccessTokenLike } from '../shared/security/access-token.js';
import type { CallOrigin, Principal } from '../shared/kernel/context.js';
import { dueOf, createDevices } from '../subgraphs/accounts/browser-sessions/browser-session.js';
import type { KnownBrowserSession } from '../subgraphs/accounts/browser-sessions/browser-session.store.js';

/** The running program, or the part of it that `ROLE` names. */
export interface Platform {
  /** Base address that it listens on, without a trailing slash. */
  readonly url: string;
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
  readonly domains?: DomainsOptions;
}

/** Registers a resource to close. Resources are closed in the opposite order of their registration. */
type Opened = (close: () => Promise<unknown>) => void;

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
  const { remoteDataSources } = await import('../gateway/graph/remote/remote-data-source.js');
  const sources = remoteDataSources(supergraphSdl, config.subgraphUrls, { keyRing, clock });
  opened(() => Promise.all(Object.values(sources).map((source) => source.close())));
  const app = openApp(infrastructure, callers, openNoteRequest(infrastructure, pool, opened));
  const { portalAuthUrl } = config;
  const verifyPortalUser = portalAuthUrl === undefined ? undefined : portalOverHttp(portalAuthUrl);
  const browserSessions = openBrowserSessions(infrastructure, { authenticator, pool, verifyPortalUser });
  await openTransports(app, infrastructure, { supergraphSdl, sources, callers, sockets, browserSessions });
  return app;
};

const openWorker: OpenPart = async (infrastructure, opened) => {
  const domains = await openDomains(infrastructure);
  opened(() => domains.close());
  const background = await startBackground(infrastructure, domains);
  opened(() => background.close());
  return openApp(infrastructure, nobody);
};

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

export interface BrowserSessionParts {
  readonly authenticator: Authenticator;
  readonly pool: Pool;
  readonly verifyPortalUser: VerifyPortalUser | undefined;
}

/** Wires the browser sessions: they are opened in the process that sets cookies, which may be another one than the process of the accounts. */
export function openBrowserSessions(
  { config, keyRing, clock }: Pick<Infrastructure, 'config' | 'keyRing' | 'clock'>,
  { authenticator, pool, verifyPortalUser }: BrowserSessionParts,
): BrowserSessions {
  const guardParts = { pool, keyRing, clock };
  return createBrowserSessions({
    keyRing,
    devices: createDevices(keyRing),
    siteOf: sitesOf(config),
    desk: { queueMail: createMailQueue(keyRing), links: houseLinks(config.publicUrl) },
    guard: createLoginGuard(guardParts),
    factorGuard: createLoginGuard(guardParts, 'secondFactor'),
    verifyPortalUser,
    forgetSessions: authenticator.forgetSessions,
    authenticateOperator: (apiKey, origin) => authenticator.authenticate({ apiKey }, origin),
    proveTrader: requireCredential,
    nameCompany: async (context, id) => (await findCompanyById(context, id))?.name,
  });
}

/** Fills an empty database with demo data. Each part skips what exists and completes the rest, so that the next start finishes an interrupted one. */
async function openDemo(
  { config, context, keyRing, log }: Infrastructure,
  { all, trading: domain }: Domains,
): Promise<void> {
  const begun = performance.now();
  const credentials = await createDemo(context, keyRing);
  if (credentials === undefined) return;
  const estates = loadTokenizationDemo(context);
  const loaded = await Promise.all([estates, loadDemo(context, estates)]);
  await loadDemoContracts(context);
  const file = join(config.dataDir, 'demo-credentials.json');
  const accountId = (await findOwner(context, credentials.account.email))?.id;
  if (accountId === undefined) throw new Error('The account of the demo does not exist');
  const originator = await loadCreditDemo(context, {
    accountId,
    known: await readOriginator(file),
    relay: () => createRelay(context, { consumers: all.flatMap(({ consumers = [] }) => consumers) }).drain(),
  });
  const trading = await openDemoCompany(context, keyRing, { accountId, fund: domain.fundWallet });
  await domain.loadDemo(context, trading.apiKey);
  openDataFolder(config.dataDir);
  await writeFile(`${file}.new`, `${JSON.stringify({ ...credentials, originator, trading }, null, 2)}\n`, {
    mode: 0o600,
  });
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
  if (loaded.includes(true)) log.info({ ms: Math.round(performance.now() - begun) }, 'The demo data was loaded');
}

const originatorForm = z.object({ originator: z.object({ clientId: z.string(), privateKeyPem: z.string() }) });

/** Reads the originator that an earlier start created; its key is stored nowhere else. */
async function readOriginator(file: string): Promise<DemoOriginator | undefined> {
  try {
    return originatorForm.safeParse(JSON.parse(await readFile(file, 'utf8'))).data?.originator;
  } catch {
    return undefined;
  }
}

/** Callers of a role whose interfaces identify no callers of their own. */
export const nobody: Callers = {
  authenticate: () => Promise.resolve(undefined),
  findClient: () => Promise.resolve(undefined),
  touch: () => undefined,
  noteRefusal: () => undefined,
};

/** Creates the HTTP application of a role, with the edge and the probes but no interfaces yet. */
export function openApp(infrastructure: Infrastructure, callers: Callers, noteRequest?: NoteRequest): FastifyInstance {
  const { config, clock, log, context, keyRing, registry, limiter, dataSource, writingError, bus, replicas, tracer } =
    infrastructure;
  collectDefaultMetrics({ register: registry });
  return createServer({
    config,
    parts: {
      clock,
      log,
      manager: context.manager,
      published: replicas?.published,
      bus,
      audit: infrastructure.audit,
      tracer,
    },
    keyRing,
    callers,
    limiter,
    registry,
    noteRequest,
    errorPage: createErrorPage(config),
    checks: {
      database: async () => {
        const error = await writingError();
        if (error !== undefined) throw new NotReady(error);
      },
      migrations: async () => {
        const lacking = await lackingMigrations(dataSource, migrations);
        if (lacking.length > 0) throw new Error(`${lacking.join(', ')} not applied`);
      },
    },
  });
}

/** Combines the callers of all domains for the edge; each domain authenticates its own. The form of a bearer token shows which domain it belongs to. */
export function callersOf(
  authenticator: Authenticator,
  signingOriginators: SigningOriginators,
  traders: Traders,
): Callers {
  const byCookie = async (
    cookie: string,
    ofOperators: boolean | undefined,
    origin: CallOrigin | undefined,
  ): Promise<Principal | undefined> => {
    const session = await authenticator.findBrowserSession(cookie);
    // Sessions of operators count only on their site, and no others do there.
    if (ofOperators !== undefined && (session?.kind === 'OPERATOR') !== ofOperators) return undefined;
    const principal = session && (await holderOf(session, traders, origin));
    if (session === undefined || principal === undefined) return undefined;
    const { id, kind, ownerId, enrolled, secondFactorAt, provedAt } = session;
    const isOriginator = kind === 'ACCOUNT' && (await signingOriginators.isLinked(ownerId));
    const due = dueOf({ enrolled, required: kind !== 'ACCOUNT' || isOriginator, secondFactorAt });
    const browser = { id, provedAtMs: provedAt.getTime(), ...(due === undefined ? {} : { due }) };
    const scopes = isOriginator ? [...principal.scopes, 'originator'] : principal.scopes;
    return { ...principal, scopes, browser };
  };
  return {
    authenticate: (credential, origin) => {
      const { apiKey, bearer, cookie, ofOperators } = credential;
      if (cookie !== undefined) return byCookie(cookie, ofOperators, origin);
      return apiKey === undefined && bearer !== undefined && isAccessTokenLike(bearer)
        ? traders.authenticate(bearer, origin)
        : authenticator.authenticate(credential, origin);
    },
    findClient: signingOriginators.find,
    touch: (caller) => authenticator.touch(caller),
    noteRefusal: (caller) => authenticator.noteRefusal(caller),
  };
}

/** Returns the principal that a session's owner has with any other credential: an account, an operator by a key, or a trading credential. */
function holderOf(
  session: KnownBrowserSession,
  traders: Traders,
  origin: CallOrigin | undefined,
): Promise<Principal | undefined> | Principal {
  const { id, kind, ownerId, confirmed, operatorKeyId, keyIssuedBy, accountId, roles, email } = session;
  if (kind === 'TRADER') return traders.byCredential(ownerId, origin);
  if (kind === 'ACCOUNT') return { kind: 'SESSION', id, ownerId, scopes: confirmed ? ['confirmed'] : [] };
  return {
    kind,
    id: operatorKeyId ?? id,
    ownerId,
    scopes: roles ?? [],
    ...(email === null ? {} : { name: email }),
    ...(keyIssuedBy === null ? {} : { keyIssuedBy }),
    ...(accountId === null ? {} : { accountId }),
  };
}
