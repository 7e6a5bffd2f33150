import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { loadConfig } from '../../shared/kernel/config.js';
import { findComposeSchema, furtherConnections, knownVariables, parseYaml, pathOf, read, skipped } from './tools.js';

const service = z.object({
  image: z.string().optional(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  networks: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
});
const text = read('deploy/compose.yaml');
const [document] = parseYaml(text);
const { services } = z.object({ services: z.record(z.string(), service) }).parse(document);
const parts = Object.entries(services).filter(([, { environment }]) => environment['ROLE'] !== undefined);

/** Values as an operator would write them into `.env`, in the order of env.example. */
const values: Readonly<Record<string, string>> = {
  LASTRO_IMAGE: 'lastro:local',
  PUBLIC_URL: 'https://lastro.example.com',
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  POSTGRES_PASSWORD: 'a1',
  LASTRO_OWNER_PASSWORD: 'b2',
  LASTRO_APP_PASSWORD: 'c3',
  REDIS_PASSWORD: 'd4',
  SMTP_URL: 'smtps://user:password@mail.example.com',
  MAIL_FROM: 'Lastro <no-reply@example.com>',
  TRUST_PROXY: '172.16.0.0/12',
  DATABASE_POOL: '8',
  DRAIN_SECONDS: '0',
  STOP_GRACE_PERIOD: '15s',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20token',
  OTEL_TRACES_SAMPLER_ARG: '0.05',
};

/** Puts values in the place of `${NAME}`, `${NAME:-default}` and `${NAME:?error}`. */
const filled = (value: string) =>
  value.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, name: string, mark?: string, other?: string) => {
    return values[name] ?? (mark === '-' ? (other ?? '') : `the variable ${name} has no value`);
  });

const schema = findComposeSchema();
const validated = skipped('the compose file is valid', schema) ? test.skip : test;

describe('the compose file', () => {
  validated('keeps to the compose specification', () => {
    const { $schema, ...rules } = z
      .record(z.string(), z.unknown())
      .parse(JSON.parse(readFileSync(pathOf(schema), 'utf8')));
    expect($schema).toContain('2020-12');
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv);
    ajv.addFormat('duration', true);
    const validate = ajv.compile(rules);
    validate(document);
    expect(validate.errors).toBeNull();
  });

  test('starts every subgraph, a gateway that knows them, and a worker', () => {
    const roles = parts.map(([, { environment }]) => environment['ROLE'] ?? '').sort();
    const names = ['accounts', 'credit-assignment', 'issuances', 'tokenization', 'trading', 'webhooks'];
    expect(roles).toEqual(['gateway', 'migrate', ...names.map((name) => `subgraph:${name}`), 'worker']);
    const urls = services['gateway']?.environment['SUBGRAPH_URLS'] ?? '';
    expect(urls.split(',').sort()).toEqual(names.map((name) => `${name}=http://${name}:4000/graphql`));
  });

  test('gives every process a configuration that it accepts, with no variable that it does not know', () => {
    const known = knownVariables();
    for (const [name, { environment }] of parts) {
      const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filled(value)]));
      expect({ name, unknown: Object.keys(env).filter((key) => !known.has(key)) }).toEqual({ name, unknown: [] });
      const role = env['ROLE'] === 'migrate' ? 'worker' : env['ROLE'];
      expect(() => loadConfig({ ...env, ROLE: role, NODE_ENV: 'production' })).not.toThrow();
    }
  });

  test('has migrations applied before anything else starts, and by the only container that knows the owner’s password', () => {
    for (const [name, { depends_on: dependencies, environment }] of parts) {
      if (name === 'migrate') continue;
      expect(dependencies['migrate']).toEqual({ condition: 'service_completed_successfully' });
      expect(JSON.stringify(environment)).not.toContain('lastro_owner');
    }
    expect(services['migrate']?.environment['DATABASE_ADMIN_URL']).toContain('lastro_owner');
  });

  test('opens fewer connections than PostgreSQL accepts, less those that it keeps for a superuser', () => {
    const most = /^max_connections=(\d+)$/.exec(
      services['postgres']?.command.find((word) => word.startsWith('max_connections')) ?? '',
    )?.[1];
    const needed = parts.map(
      ([, { environment }]) => Number(filled(environment['DATABASE_POOL'] ?? '20')) + furtherConnections,
    );
    expect(needed.reduce((sum, one) => sum + one, 0)).toBeLessThan(Number(most) - 3);
  });

  test('gives the parts no rights, and opens one port, on loopback', () => {
    for (const [, part] of parts) expect(part).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    expect(Object.values(services).flatMap(({ ports }) => ports)).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
    for (const name of ['postgres', 'redis']) expect(services[name]?.networks).toEqual(['parts']);
  });

  test('needs exactly the values that env.example lists', () => {
    const needed = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    const listed = [...read('deploy/env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    expect(listed).toEqual(Object.keys(values));
    expect(listed).toEqual(expect.arrayContaining(needed));
  });
});
