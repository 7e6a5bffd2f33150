import type { Pool } from 'pg';
import type { AuditTrail } from '../../shared/security/audit/trail.js';
import type { Clock } from '../../shared/kernel/clock.js';
import type { Config } from '../../shared/kernel/config.js';
import type { KeyRing } from '../../shared/security/crypto.js';
import { createCursorCodec } from '../../shared/graphql/cursor.js';
import { readMigrations } from '../../shared/database/migrate.js';
import type { Logger } from '../../shared/kernel/log.js';
import { createMailQueue } from '../../shared/work/mail/mail.js';
import { watchedMails } from '../../shared/work/mail/mailer.js';
import { watchedEvents } from '../../shared/events/outbox/relay.store.js';
import type { Job } from '../../shared/work/scheduler.js';
import { buildSubgraph, type SubgraphParts } from '../../shared/graphql/build.js';
import type { Subgraph } from '../../shared/graphql/subgraph.js';
import { workQueueResolvers } from '../../shared/work/queue/work-queue.resolver.js';
import { houseLinks, type MailLinks } from './accounts/account.mails.js';
import { AccountResolver, accountContactReference } from './accounts/account.resolver.js';
import { forgetRegistrations, forgetRequests, forgetEndedSessions } from './retention.js';
import type { MailDesk } from './accounts/mail-desk.js';
import { createLoginGuard, type LoginGuard } from './accounts/login-guard.js';
import { portalOverHttp, type VerifyPortalUser } from './accounts/portal.js';
import { tellOfOriginatorKeys, tellOfWebhookChanges, tellOfWebhooks } from './accounts/tell-of-webhooks.js';
import { ApiKeyResolver, DeveloperKeyResolver, KeyUsageResolver } from './api-keys/api-key.resolver.js';
import { AuditLogResolver } from './audit-log/audit-log.resolver.js';
import { createAuthenticator, type Authenticator } from './authenticate.js';
import { startDemoPortal } from './demo/demo.js';
import { forgetOldKeyDays, type ReadKeyWindow } from './api-keys/key-usage.js';
import { notifyExpiry } from './api-keys/notify-expiry.js';
import { forgetPieces } from './import-uploads/import-piece.store.js';
import { ImportUploadResolver } from './import-uploads/import-upload.resolver.js';
import { uploadLimits } from './import-uploads/uploaded-file.js';
import { ImportResolver } from './imports/import.resolver.js';
import type { ImportDomain } from '../../shared/import/domain.js';
import { JobResolver } from './jobs/job.resolver.js';
import { FollowResolver, operationReference } from './follows/follow.resolver.js';
import { MailSettingsResolver } from './mail-settings/mail-settings.resolver.js';
import { ManagedAccountResolver, OperatorResolver, LimitedKeyResolver } from './operators/operator.resolver.js';
import { OwnDataResolver } from './own-data/own-data.resolver.js';
import { forgetChallenges } from './second-factors/factor.store.js';
import { sitesOf } from './second-factors/relying-party.js';
import { SecondFactorResolver, type SecondFactorParts } from './second-factors/second-factor.resolver.js';
import { openAccountsPool } from './pool.js';
import { SessionResolver } from './sessions/session.resolver.js';
import { createSessions } from './sessions/session.js';
import { createSigningKeys, type SigningKeys } from './sessions/signing-keys.js';
import { RequestLogResolver } from './request-log/request-log.resolver.js';
import { tokenLifetimesMs } from './tokens/one-time-token.js';
import { forgetTokens } from './tokens/one-time-token.store.js';
import { AccountContact } from './accounts/account.type.js';

export interface AccountsParts {
  readonly config: Pick<
    Config,
    | 'publicUrl'
    | 'operatorUrl'
    | 'portalAuthUrl'
    | 'rateLimits'
    | 'requestLogDays'
    | 'importSettledPriceDays'
    | 'demo'
    | 'production'
  >;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly log: Logger;
  readonly audit?: AuditTrail;
  /** URL of the accounts' own connections. Nothing connects before it is needed. */
  readonly databaseUrl: string;
  readonly importDomains?: readonly ImportDomain[];
  /** Whether an account must have a second factor, for the reasons of other domains; no account without it. */
  readonly requiresFactor?: (accountId: string) => Promise<boolean>;
  /** Reads the present window of the limit of a key; undefined where another process counts requests. */
  readonly readKeyWindow?: ReadKeyWindow;
  /** Addresses of links in mail, if not the pages of this deployment. */
  readonly links?: MailLinks;
}

export interface Accounts extends Subgraph {
  readonly authenticator: Authenticator;
  /** Verifies passwords of the issuer's portal, which the demo may have started; undefined when none is configured. */
  readonly verifyPortalUser: VerifyPortalUser | undefined;
  readonly pool: Pool;
  close(): Promise<void>;
}

export async function createAccounts(parts: AccountsParts): Promise<Accounts> {
  const { config, keyRing, clock, log, links = houseLinks(config.publicUrl, config.operatorUrl) } = parts;
  const pool = openAccountsPool(parts.databaseUrl, log);
  const signingKeys = createSigningKeys({ pool, keyRing, clock });
  const authenticator = createAuthenticator({
    pool,
    keyRing,
    clock,
    log,
    signingKeys,
    ...(parts.audit === undefined ? {} : { audit: parts.audit }),
  });
  const { forgetKey, forgetSessions } = authenticator;
  const guard = createLoginGuard({ pool, keyRing, clock });
  const desk = { queueMail: createMailQueue(keyRing), links };
  const sessionParts = { desk, sessions: createSessions(signingKeys, clock), forgetSessions };
  const demoPortal =
    config.portalAuthUrl === undefined && config.demo && !config.production
      ? await startDemoPortal(keyRing)
      : undefined;
  const portalUrl = config.portalAuthUrl ?? demoPortal?.url;
  const resetParts = { desk, guard, forgetSessions, forgetKey };
  const verifyPortalUser = portalUrl === undefined ? undefined : portalOverHttp(portalUrl);
  const { schema, sdl } = buildSubgraph({
    name: 'accounts',
    resolvers: [
      new AccountResolver({
        desk,
        loginParts: { ...sessionParts, guard, verifyPortalUser },
        resetParts,
      }),
      new SessionResolver(forgetSessions),
      new ManagedAccountResolver(forgetSessions, config.rateLimits.apiKey),
      new ApiKeyResolver({ rateLimit: config.rateLimits.apiKey, forgetKey, desk }),
      new DeveloperKeyResolver({ rateLimit: config.rateLimits.apiKey, forgetKey, desk }),
      new KeyUsageResolver({ rateLimit: config.rateLimits.apiKey, readKeyWindow: parts.readKeyWindow }),
      new MailSettingsResolver(),
      new RequestLogResolver(createCursorCodec(keyRing, 'requests'), config.requestLogDays),
      new FollowResolver(),
      new OwnDataResolver({ ...resetParts, verifyPortalUser, rateLimit: config.rateLimits.apiKey }),
      secondFactors(parts, { desk, forgetSessions }),
      new OperatorResolver(forgetKey, desk),
      new LimitedKeyResolver({ rateLimit: config.rateLimits.apiKey, forgetKey }),
      ...operation(parts),
    ],
    ...entities,
  });
  return {
    name: 'accounts',
    schema,
    sdl,
    jobs: jobs({ signingKeys, guard, desk, config }),
    consumers: [tellOfWebhooks(desk.queueMail), tellOfWebhookChanges(desk), tellOfOriginatorKeys(desk.queueMail)],
    migrations: { schema: 'accounts', migrations: readMigrations(new URL('./migrations/', import.meta.url)) },
    authenticator,
    verifyPortalUser,
    pool,
    close: async () => {
      await authenticator.close();
      await demoPortal?.close();
      await pool.end();
    },
  };
}

function operation({ config, keyRing, importDomains: domains = [] }: AccountsParts): readonly object[] {
  return [
    new JobResolver(),
    ...workQueueResolvers({
      domain: 'Platform',
      words: 'the platform',
      role: 'administer',
      queues: [watchedMails, watchedEvents],
    }),
    new AuditLogResolver(createCursorCodec(keyRing, 'audit-log')),
    new ImportResolver(createCursorCodec(keyRing, 'imports'), domains),
    new ImportUploadResolver({ domains, settledPriceDays: config.importSettledPriceDays }),
  ];
}

function secondFactors(
  { config, keyRing, requiresFactor = () => Promise.resolve(false) }: AccountsParts,
  { desk, forgetSessions }: Pick<SecondFactorParts, 'desk' | 'forgetSessions'>,
): SecondFactorResolver {
  return new SecondFactorResolver({ desk, keyRing, forgetSessions, siteOf: sitesOf(config), requiresFactor });
}

// Expired links are kept for a week, to explain why one did not work, and registrations as long as their last link.
const dayMs = 86_400_000;
const tokensKeptMs = 7 * dayMs;

interface JobParts extends Pick<AccountsParts, 'config'> {
  readonly signingKeys: SigningKeys;
  readonly guard: LoginGuard;
  readonly desk: MailDesk;
}

function jobs({ signingKeys, guard, desk, config }: JobParts): Job[] {
  return [
    { name: 'accounts.signing-keys', cron: '23 4 * * *', run: () => signingKeys.rotate() },
    {
      name: 'accounts.key-expiry',
      cron: '7 * * * *',
      run: (context, stopping) => notifyExpiry(context, desk, stopping),
    },
    {
      name: 'accounts.retention',
      cron: '41 * * * *',
      run: async (context) => {
        const now = context.clock.now().getTime();
        await forgetTokens(context, new Date(now - tokensKeptMs));
        await forgetRegistrations(context, new Date(now - tokenLifetimesMs.CONFIRM - tokensKeptMs));
        await forgetEndedSessions(context);
        await forgetChallenges(context);
        await forgetOldKeyDays(context);
        await forgetRequests(context, config.requestLogDays);
        await forgetPieces(context, new Date(now - uploadLimits.keptMs));
        await guard.forgetOld();
      },
    },
  ];
}

/** Entities for other subgraphs: accounts, which no field of this subgraph returns in that form, and the operations that it adds fields to. */
const entities: Pick<SubgraphParts, 'orphanedTypes' | 'references'> = {
  orphanedTypes: [AccountContact],
  references: { AccountContact: accountContactReference, Operation: operationReference },
};
