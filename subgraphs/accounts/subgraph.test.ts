import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isEnumType, isObjectType } from 'graphql';
import type { Principal } from '../../shared/kernel/context.js';
import { newId } from '../../shared/kernel/ids.js';
import { counted, openAccounts, type AccountsKit } from '../../tests/accounts/kit.js';
import { testKeyRing } from '../../tests/kit/context.js';
import { createDemo } from './demo/demo.js';

let kit: AccountsKit;

beforeAll(async () => {
  kit = await openAccounts({ demo: true });
});

afterAll(() => kit.close());

describe('the subgraph', () => {
  test('describes every type, field, argument and value', () => {
    const missing: string[] = [];
    const look = (name: string, { description }: { readonly description?: string | null | undefined }) => {
      if (description === undefined || description === null || description === '') missing.push(name);
    };
    for (const type of Object.values(kit.accounts.schema.getTypeMap())) {
      if (/__|^_|^(String|Int|Float|Boolean|ID|Query|Mutation)$/.test(type.name)) continue;
      look(type.name, type);
    }
    for (const type of Object.values(kit.accounts.schema.getTypeMap())) {
      if (type.name.startsWith('_') || type.name.includes('__')) continue;
      if (isEnumType(type)) for (const value of type.getValues()) look(`${type.name}.${value.name}`, value);
      if (!isObjectType(type)) continue;
      for (const field of Object.values(type.getFields())) {
        if (field.name.startsWith('_')) continue;
        look(`${type.name}.${field.name}`, field);
        for (const argument of field.args) look(`${type.name}.${field.name}(${argument.name})`, argument);
      }
    }
    expect(missing).toEqual([]);
  });

  test('has the root fields that the interfaces name', () => {
    const { schema } = kit.accounts;
    const signatures = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.values(type?.getFields() ?? {})
        .filter((field) => !field.name.startsWith('_'))
        .map(
          (field) =>
            `${field.name}(${field.args.map((a) => `${a.name}: ${String(a.type)}`).join(', ')}): ${String(field.type)}`,
        ),
    );
    expect(signatures.toSorted()).toEqual([
      'addImportFilePiece(file: ID!, position: Int!, piece: String!): Int',
      'addOperator(email: String!, name: String!, roles: [String!]!, days: Int!): CreatedOperatorKey',
      'addOperatorKey(operator: String!, days: Int!): CreatedOperatorKey',
      'addPasskey(name: String!, credential: String!): ChangedFactors',
      'apiKeys(): [ApiKey!]!',
      'auditLog(first: Int, after: String, last: Int, before: String, filter: AuditLogFilter): AuditLogConnection!',
      'beginPasskey(): String',
      'beginTotp(): NewTotp',
      'changeMailSettings(language: MailLanguage, digest: DigestFrequency): MailSettings',
      'changeOperatorRoles(operator: String!, roles: [String!]!): Operator',
      'changePassword(currentPassword: String!, newPassword: String!, keepSessions: Boolean): Boolean',
      'checkImport(files: [ImportFileInput!]!, reason: String): ImportCheck',
      'confirmTotp(code: String!): ChangedFactors',
      'createApiKey(name: String!): CreatedApiKey',
      'createApiKeyResult(name: String!): CreateApiKeyResult',
      'createDeveloperKey(name: String!, scopes: [String!]!): CreatedDeveloperKey',
      'createDeveloperKeyResult(name: String!, scopes: [String!]!): CreateDeveloperKeyResult',
      'deleteMyAccount(password: String!): Boolean',
      'developerKeys(): [DeveloperKey!]!',
      'disableAccount(id: ID, email: String, reason: String!): [ManagedAccount!]',
      'enableAccount(id: ID, email: String): [ManagedAccount!]',
      'endAccountSessions(id: ID, email: String): Int',
      'endDigests(token: String!): Boolean',
      'endOtherSessions(): Int',
      'endSession(id: ID!): Boolean',
      'endSessionsOf(owner: ID!): Int',
      'exportMyData(): MyData!',
      'fetchOperatorKey(token: String!): String',
      'followOperation(ticker: String!): Operation',
      'followedOperations(): [Operation]!',
      'forgotPassword(email: String!): Message',
      'import(id: ID!): Import',
      'importFiles(files: [ImportFileInput!]!, reason: String): Import',
      'imports(first: Int, after: String, last: Int, before: String): ImportConnection!',
      'keyUsage(keyIds: [ID!]!): [KeyUsage!]!',
      'limitKey(prefix: String!, rateLimit: Int): LimitedKey',
      'login(email: String!, password: String!): Session',
      'logout(): Boolean',
      'mailSettings(): MailSettings!',
      'managedAccounts(find: String!): [ManagedAccount!]!',
      'me(): SessionUser!',
      'operators(): [Operator!]!',
      'platformWorkQueues(): [WorkQueueStatus!]!',
      'quarantinePlatformWork(queue: String!, id: ID!, reason: String!): WorkItem',
      'register(name: String!, email: String!, password: String!, company: String!): Message',
      'registerResult(name: String!, email: String!, password: String!, company: String!): RegisterResult',
      'releasePlatformWork(queue: String!, id: ID!): WorkItem',
      'removePasskey(id: ID!): SecondFactors',
      'removeTotp(): SecondFactors',
      'replaceRecoveryCodes(): ChangedFactors',
      'requestErrors(filter: RequestErrorFilter): [RequestErrors!]!',
      'requestLog(first: Int, after: String, last: Int, before: String, filter: RequestLogFilter): LoggedRequestConnection!',
      'requestLogDays(): Int!',
      'resendVerification(email: String!): Message',
      'resetPassword(token: String!, password: String!, revokeKeys: Boolean): Message',
      'resetPasswordResult(token: String!, password: String!, revokeKeys: Boolean): ResetPasswordResult',
      'resetSecondFactors(owner: ID!, reason: String!): Boolean',
      'retryPlatformWork(queue: String!, id: ID): Int',
      'revertImport(id: ID!, reason: String!): Import',
      'revokeApiKey(id: ID!): Boolean',
      'revokeDeveloperKey(id: ID!): Boolean',
      'revokeOperator(operator: String!): Operator',
      'revokeOperatorKey(id: ID!): Boolean',
      'rotateApiKey(id: ID!, graceDays: Int!): RotatedApiKey',
      'rotateApiKeyResult(id: ID!, graceDays: Int!): RotateApiKeyResult',
      'rotateDeveloperKey(id: ID!, graceDays: Int!): RotatedDeveloperKey',
      'rotateDeveloperKeyResult(id: ID!, graceDays: Int!): RotateDeveloperKeyResult',
      'runJob(name: String!): ScheduledJob',
      'scheduledJobs(): [ScheduledJob!]!',
      'secondFactors(): SecondFactors!',
      'sessions(): [ActiveSession!]!',
      'startAuditExport(filter: AuditLogFilter, format: AuditFileFormat!): Int',
      'unfollowOperation(ticker: String!): Boolean',
      'verifyEmail(token: String!): Session',
      'voidRecord(kind: String!, names: [String!]!, reason: String!): Import',
    ]);
  });

  const anonymous: Principal = { kind: 'ANONYMOUS', id: 'ip', ownerId: 'ip', scopes: [] };
  const apiKey: Principal = { kind: 'API_KEY', id: newId(), ownerId: newId(), scopes: [] };

  test.each([
    '{ me { id } }',
    '{ apiKeys { id } }',
    '{ followedOperations { ticker } }',
    '{ sessions { id } }',
    'mutation { logout }',
    'mutation { endSession(id: "x") }',
    'mutation { endOtherSessions }',
    'mutation { changePassword(currentPassword: "a", newPassword: "b") }',
    'mutation { createApiKey(name: "k") { id } }',
    'mutation { revokeApiKey(id: "x") }',
    'mutation { followOperation(ticker: "X") { ticker } }',
    'mutation { unfollowOperation(ticker: "X") }',
  ])('asks for a session on %s', async (text) => {
    expect((await kit.run(text, {}, { principal: anonymous })).error).toMatchObject({
      code: 'UNAUTHORIZED',
      statusCode: 401,
    });
    expect((await kit.run(text, {}, { principal: apiKey })).error).toMatchObject({
      code: 'FORBIDDEN',
      statusCode: 403,
    });
  });

  test('answers me with one look-up', async () => {
    const { principal, id } = await kit.member('ana@casa.example');
    const { target: manager, calls: queries } = counted(
      kit.context.manager,
      /^(rows|find|createQueryBuilder|transaction)/,
    );
    const { data } = await kit.run('{ me { id email name company ownerType } }', {}, { principal, manager });
    expect(data).toEqual({
      me: { id, email: 'ana@casa.example', name: 'Ana Souza', company: 'Casa & Filhos', ownerType: 'EMISSOES_USER' },
    });
    expect(queries()).toBe(1);
  });

  test('forgets links a week after they expired', async () => {
    await kit.register('old@casa.example');
    const count = async () =>
      (
        await kit.database.dataSource.query<{ count: string }[]>(
          `SELECT count(*) FROM accounts.one_time_tokens t JOIN accounts.accounts a ON a.id = t.account_id WHERE a.email = 'old@casa.example'`,
        )
      )[0]?.count;
    const retention = kit.accounts.jobs.find(({ name }) => name === 'accounts.retention');
    kit.clock.advance(8 * 86_400_000);
    await retention?.run(kit.context);
    expect(await count()).toBe('1');
    kit.clock.advance(1);
    await retention?.run(kit.context);
    expect(await count()).toBe('0');
  });
});

describe('a registration that nobody confirmed', () => {
  test('is forgotten with its last link, and its e-mail is free again; a confirmed account stays', async () => {
    await kit.member('stays@casa.example');
    await kit.register('forgotten@casa.example');
    const retention = kit.accounts.jobs.find(({ name }) => name === 'accounts.retention');
    kit.clock.advance(5 * 86_400_000);
    await kit.run('mutation { resendVerification(email: "forgotten@casa.example") { message } }');
    kit.clock.advance(8 * 86_400_000);
    await retention?.run(kit.context);
    expect((await kit.login('forgotten@casa.example')).error).toBeUndefined();
    kit.clock.advance(1);
    await retention?.run(kit.context);
    expect((await kit.login('forgotten@casa.example')).error?.statusCode).toBe(401);
    expect((await kit.login('stays@casa.example')).error).toBeUndefined();
    await kit.member('forgotten@casa.example');
    expect((await kit.login('forgotten@casa.example')).error).toBeUndefined();
  });
});

describe('the demo', () => {
  let kit: AccountsKit;
  beforeAll(async () => {
    kit = await openAccounts({ demo: true });
  });
  afterAll(() => kit.close());

  test('has an account of each kind that can log in and a key that works, the same however often it is made', async () => {
    const credentials = await createDemo(kit.context, testKeyRing);
    if (credentials === undefined) throw new Error('An empty database gets the demo');
    expect(await createDemo(kit.context, testKeyRing)).toEqual(credentials);
    const { account, portalAccount, publicApiKey } = credentials;
    const registered = (await kit.login(account.email, account.password)).data?.['login'] as Record<string, unknown>;
    expect(registered).toMatchObject({ user: { ownerType: 'EMISSOES_USER', company: expect.any(String) } });
    const agent = (await kit.login(portalAccount.email, portalAccount.password)).data?.['login'];
    expect(agent).toMatchObject({ user: { ownerType: 'AGENT_USER', company: null } });
    expect((await kit.login(portalAccount.email, 'wrong password 1')).error?.statusCode).toBe(401);
    const caller = await kit.accounts.authenticator.authenticate({ apiKey: publicApiKey });
    expect(caller).toMatchObject({
      kind: 'API_KEY',
      ownerId: (registered['user'] as { id: string }).id,
    });
    const session = await kit.accounts.authenticator.authenticate({ bearer: String(registered['accessToken']) });
    if (session === undefined) throw new Error('The session does not work');
    const keys = await kit.run('{ apiKeys { name status } }', {}, { principal: session });
    expect(keys.data).toEqual({ apiKeys: [{ name: 'Demonstração', status: 'ACTIVE' }] });
    expect(
      (await kit.run('mutation { createApiKey(name: "k") { id } }', {}, { principal: session })).error,
    ).toBeUndefined();
  });

  test('stays out of a database that has accounts of its own', async () => {
    const used = await openAccounts();
    await used.register('someone@casa.example');
    expect(await createDemo(used.context, testKeyRing)).toBeUndefined();
    await used.close();
  });
});
