import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ConfigError, loadConfig } from './config.js';

function errorsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
  return [];
}

describe('configuration', () => {
  test('the waits between attempts of a delivery are a list of times, or the schedule of a day by its name', () => {
    const waits = (text: string) => loadConfig({ WEBHOOK_RETRIES: text }).webhooks.retryDelaysMs;
    expect(loadConfig({}).webhooks.retryDelaysMs).toEqual([60_000, 300_000, 1_800_000, 7_200_000, 43_200_000]);
    expect(waits('2026-01-10')).toEqual([60_000, 300_000, 900_000, 3_600_000, 14_400_000]);
    expect(waits('50ms, 2s')).toEqual([50, 2_000]);
    for (const wrong of ['0s', '1d', '1m,', 'soon', '-1m']) {
      expect(errorsOf({ WEBHOOK_RETRIES: wrong })[0]).toMatch(/^WEBHOOK_RETRIES must be a list of waiting times/);
    }
  });

  test('a house has a name, an SVG file and a colour on which white text can be read', () => {
    const given = { HOUSE_NAME: 'Aurora', HOUSE_TAX_ID: '11222333000181', HOUSE_COLOUR: '#0b5394' };
    expect(loadConfig(given).house).toEqual({
      name: 'Aurora',
      taxId: '11.222.333/0001-81',
      logoFile: undefined,
      colour: '#0b5394',
    });
    expect(errorsOf({ HOUSE_COLOUR: '#ffcc00', HOUSE_LOGO_FILE: 'package.json' })).toEqual([
      'HOUSE_LOGO_FILE must be the path of an SVG file',
      'HOUSE_COLOUR is too light for white text on it (contrast 4.5)',
    ]);
    expect(errorsOf({ HOUSE_TAX_ID: '52998224725' })).toEqual(['HOUSE_TAX_ID must be a CNPJ']);
    expect(errorsOf({ HOUSE_COLOUR: 'blue' })[0]).toBe('HOUSE_COLOUR must be a colour as #1f5eff');
  });

  test('replicas are standbys of a server that is named, and each has an address', () => {
    const server = { DATABASE_URL: 'postgresql://app@primary/lastro' };
    const [one, other] = ['postgresql://app@one/lastro', 'postgres://app@other:6432/lastro?prepared_statements=false'];
    const { database } = loadConfig({ ...server, DATABASE_REPLICA_URLS: `${one}, ${other}`, REPLICA_MAX_LAG: '5' });
    expect(database).toMatchObject({ replicaUrls: [one, other], replicaMaxLagMs: 5_000 });
    expect(loadConfig(server).database).toMatchObject({ replicaUrls: [], replicaMaxLagMs: 2_000 });
    expect(errorsOf({ DATABASE_REPLICA_URLS: one })).toEqual([
      expect.stringMatching(/^DATABASE_URL is required with DATABASE_REPLICA_URLS/),
    ]);
    expect(errorsOf({ ...server, DATABASE_REPLICA_URLS: `${one},standby:5432`, REPLICA_MAX_LAG: '0' })).toEqual([
      expect.stringMatching(/^DATABASE_REPLICA_URLS must be addresses that begin with postgres:/),
      expect.stringMatching(/^REPLICA_MAX_LAG must be a whole number from 1 to 60/),
    ]);
  });

  test('a file that an address of PostgreSQL names and that cannot be read is reported with its variable', () => {
    const server = 'postgresql://app@primary/lastro?sslmode=verify-full&sslrootcert=';
    const missing = `${server}%2Fno%2Fca.pem`;
    const { pathname: file } = new URL(import.meta.url);
    expect(loadConfig({ DATABASE_URL: `${server}${file}` }).database.url).toContain(file);
    expect(errorsOf({ DATABASE_URL: missing, DATABASE_REPLICA_URLS: missing })).toEqual([
      'DATABASE_URL has sslrootcert=/no/ca.pem, which is not the path of a file that can be read',
      'DATABASE_REPLICA_URLS has sslrootcert=/no/ca.pem, which is not the path of a file that can be read',
    ]);
  });

  test('nothing set is a development house on port 4000 with its own database and demo data', () => {
    expect(loadConfig({})).toMatchObject({
      port: 4000,
      dataDir: '.data',
      production: false,
      demo: true,
      role: 'all',
      publicUrl: 'http://localhost:4000',
    });
  });

  test('an empty variable counts as one that is not set', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 4000, database: { url: undefined } });
  });

  test('all errors are reported at once, those between variables too', () => {
    const errors = errorsOf({
      NODE_ENV: 'production',
      PORT: 'four thousand',
      DATABASE_URL: 'mysql://x',
      DEMO: 'perhaps',
      MASTER_KEY: 'c2hvcnQ=',
      TLS_CERT_FILE: 'cert.pem',
      SUBGRAPH_URLS: 'accounts=localhost:4001/graphql',
      TRUST_PROXY: 'proxy.internal,10.0.0.0/99',
      ALLOWED_ORIGINS: 'not an origin',
      GRAPHQL_SAFELIST_FILE: '/no/such/file',
    });
    for (const name of [
      'PORT',
      'DATABASE_URL',
      'DEMO',
      'MASTER_KEY',
      'TLS_KEY_FILE',
      'SUBGRAPH_URLS',
      'PUBLIC_URL',
      'SMTP_URL',
      'TRUST_PROXY',
      'ALLOWED_ORIGINS',
      'GRAPHQL_SAFELIST_FILE',
      'TLS_CERT_FILE must be',
    ]) {
      expect(errors.filter((error) => error.includes(name))).toHaveLength(1);
    }
  });

  test.each([
    ['MASTER_KEY', 'not base64!', 'must be 32 bytes in Base64: `openssl rand -base64 32` generates a key'],
    ['MASTER_KEY', 'c2hvcnQ=', 'must be 32 bytes in Base64: `openssl rand -base64 32` generates a key'],
    ['MAIL_FROM', 'x', 'must be an e-mail address, such as no-reply@example.com or Lastro <no-reply@example.com>'],
    ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
    ['NODE_ENV', 'staging', 'must be one of development, test, production'],
    ['SOCKETS_MAX', '-1', 'must be a whole number from 1 to 1000000'],
    ['METRICS_ALLOW', 'monitor.internal', 'must be IP addresses or networks, such as 127.0.0.1,10.0.0.0/8'],
  ])('%s=%s is one fault, in a sentence that says what to do', (name, value, sentence) => {
    expect(errorsOf({ [name]: value })).toEqual([`${name} ${sentence}`]);
  });

  test('a subgraph of its own has no limit of connections of a network, unless one is given', () => {
    const part = { DATABASE_URL: 'postgres://db/lastro', REDIS_URL: 'redis://cache', MASTER_KEY: '0'.repeat(43) + '=' };
    const ofA = (more: Record<string, string>) => loadConfig({ ...part, ...more }).connections;
    expect(ofA({ ROLE: 'worker' })).toEqual({ max: 16_000, maxPerNetwork: 2_000 });
    expect(ofA({ ROLE: 'subgraph:trading' })).toEqual({ max: 16_000, maxPerNetwork: 16_000 });
    expect(ofA({ ROLE: 'subgraph:trading', CONNECTIONS_MAX_PER_NETWORK: '7' })).toEqual({
      max: 16_000,
      maxPerNetwork: 7,
    });
  });

  test('a node of a chain is of no use without the number and the name of the chain', () => {
    const rpc = { CHAIN_RPC_URL: 'https://polygon.example.com' };
    expect(errorsOf(rpc)).toEqual(['CHAIN_ID is required with CHAIN_RPC_URL: the node must be of that chain']);
    expect(errorsOf({ CHAIN_ID: '137' })).toEqual([
      'CHAIN_ID and CHAIN_NETWORK must be set together, such as 137 and Polygon',
    ]);
    expect(errorsOf({ CHAIN_EXPLORER_URL: 'https://polygonscan.com/address/' })).toEqual([
      'CHAIN_EXPLORER_URL must be an address with {address} in it, such as https://polygonscan.com/address/{address}',
    ]);
    expect(loadConfig({ ...rpc, CHAIN_ID: '137', CHAIN_NETWORK: 'Polygon' }).chain).toEqual({
      id: 137,
      network: 'Polygon',
      rpcUrl: 'https://polygon.example.com',
      explorerUrl: undefined,
      confirmations: 64,
    });
    expect(loadConfig({}).chain).toBeUndefined();
  });

  test('traces are sent nowhere without an endpoint; its headers are decoded, and no error repeats them', () => {
    expect(loadConfig({ OTEL_EXPORTER_OTLP_HEADERS: 'a=b', OTEL_TRACES_SAMPLER_ARG: '0.5' }).tracing).toBeUndefined();
    const given = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };
    expect(loadConfig(given).tracing).toEqual({
      endpoint: 'http://collector:4318',
      headers: {},
      serviceName: 'lastro',
      ratio: 1,
      delayMs: 5_000,
      trustIncoming: [],
    });
    const headers = 'Authorization=Bearer%20abc,x-tenant=casa';
    const sampler = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.05' };
    expect(loadConfig({ ...given, ...sampler, OTEL_EXPORTER_OTLP_HEADERS: headers }).tracing).toMatchObject({
      headers: { authorization: 'Bearer abc', 'x-tenant': 'casa' },
      ratio: 0.05,
    });
    expect(loadConfig({ ...given, OTEL_TRACES_SAMPLER: 'parentbased_always_off' }).tracing?.ratio).toBe(0);
    const errors = errorsOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%E0secret',
      OTEL_TRACES_SAMPLER: 'always_on',
      OTEL_TRACES_SAMPLER_ARG: '5%',
      OTEL_TRUST_INCOMING: 'proxy',
    });
    expect(errors).toEqual([
      expect.stringMatching(/^OTEL_EXPORTER_OTLP_ENDPOINT must be an address that begins with http:/),
      expect.stringMatching(
        /^OTEL_EXPORTER_OTLP_HEADERS must be a list of headers such as authorization=Bearer%20token/,
      ),
      expect.stringMatching(/^OTEL_TRACES_SAMPLER must be one of parentbased_always_on/),
      expect.stringMatching(/^OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/),
      expect.stringMatching(/^OTEL_TRUST_INCOMING must be IP addresses or networks/),
    ]);
    expect(errors.join()).not.toContain('secret');
  });

  test('a sender may have a name or none', () => {
    for (const from of ['a@b.c', 'Lastro <no-reply@lastro.localhost>', '<a@b.c>', 'Ação, Ltda <a@b.c>']) {
      expect(loadConfig({ MAIL_FROM: from }).mail.from).toBe(from);
    }
  });

  test('metrics are for everyone outside production, there for the own networks, and for whom one says', () => {
    const production = {
      NODE_ENV: 'production',
      MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
      PUBLIC_URL: 'https://api.example.com/',
      SMTP_URL: 'smtp://localhost',
    };
    expect(loadConfig({}).metricsAllow).toBeUndefined();
    expect(loadConfig(production).metricsAllow).toContain('10.0.0.0/8');
    expect(loadConfig({ ...production, METRICS_ALLOW: '192.0.2.7' }).metricsAllow).toEqual(['192.0.2.7']);
  });

  test('production asks for HTTPS, hides introspection and schema and loads no demo data by default', () => {
    const config = loadConfig({
      NODE_ENV: 'production',
      MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
      PUBLIC_URL: 'https://api.example.com/',
      SMTP_URL: 'smtp://localhost',
    });
    expect(config).toMatchObject({
      requireHttps: true,
      demo: false,
      publicUrl: 'https://api.example.com',
      graphql: { introspection: false, sdl: false },
    });
  });

  test("the operators' address has a host name of its own, no path, and HTTPS where the public one has", () => {
    const PUBLIC_URL = 'https://api.example.com';
    for (const wrong of [
      'https://api.example.com:8443',
      'https://op.example.com/painel',
      'http://op.example.com',
      'op',
    ])
      expect(errorsOf({ PUBLIC_URL, OPERATOR_URL: wrong })[0]).toMatch(/^OPERATOR_URL must/);
    expect(loadConfig({ PUBLIC_URL, OPERATOR_URL: 'https://op.example.com/' }).operatorUrl).toBe(
      'https://op.example.com',
    );
    expect(loadConfig({ PUBLIC_URL }).operatorUrl).toBeUndefined();
  });

  test('a part of a split deployment needs what the parts share', () => {
    expect(errorsOf({ ROLE: 'gateway' }).join(' ')).toMatch(/DATABASE_URL.*REDIS_URL.*MASTER_KEY.*SUBGRAPH_URLS/);
  });

  test('another router needs its public keys and its issuer, at subgraphs that are processes of their own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lastro-keys-'));
    const fileOf = async (name: string, content: unknown) => {
      const path = join(folder, name);
      await writeFile(path, JSON.stringify(content));
      return path;
    };
    const publicKey = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
    const keys = await fileOf('keys.json', { keys: [publicKey] });
    const needed = {
      ROLE: 'subgraph:accounts',
      DATABASE_URL: 'postgres://db/lastro',
      REDIS_URL: 'redis://cache',
      MASTER_KEY: Buffer.alloc(32).toString('base64'),
    };
    const given = { ...needed, ROUTER_JWKS_FILE: keys, ROUTER_ISSUER: 'https://entrada.example' };
    expect(loadConfig(given).router).toEqual({ keys: { keys: [publicKey] }, issuer: 'https://entrada.example' });
    expect(loadConfig(needed).router).toBeUndefined();
    expect(errorsOf({ ...needed, ROUTER_JWKS_FILE: keys })[0]).toMatch(/^ROUTER_JWKS_FILE and ROUTER_ISSUER/);
    expect(errorsOf({ ROUTER_JWKS_FILE: keys, ROUTER_ISSUER: 'x' })[0]).toMatch(
      /^ROUTER_JWKS_FILE is for ROLE=subgraph/,
    );
    for (const [name, content, error] of [
      ['private.json', { keys: [{ ...publicKey, d: 'secret' }] }, /has a private key/],
      ['none.json', { keys: [] }, /JSON Web Key Set/],
      ['other.json', 'no', /JSON Web Key Set/],
    ] as const)
      expect(errorsOf({ ...given, ROUTER_JWKS_FILE: await fileOf(name, content) })[0]).toMatch(error);
    await rm(folder, { recursive: true });
  });
});
