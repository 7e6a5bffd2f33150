import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { commandNames } from '../../cli/commands.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { findPromtool, knownVariables, parseYaml, pathOf, read, root, skipped } from './tools.js';

const alert = z.object({
  alert: z.string(),
  expr: z.string(),
  labels: z.object({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.object({ summary: z.string(), runbook: z.string() }),
});
const rules = z.object({ groups: z.array(z.object({ rules: z.array(alert) })) });
const alerts = rules.parse(parseYaml(read('deploy/prometheus/alerts.yaml'))[0]).groups.flatMap((group) => group.rules);

const target = z.object({ expr: z.string() });
const panel = z.object({
  title: z.string(),
  description: z.string().default(''),
  type: z.string(),
  targets: z.array(target).default([]),
});
const dashboard = z.object({ panels: z.array(panel) }).parse(JSON.parse(read('deploy/grafana/lastro.json')));
const panels = dashboard.panels.filter(({ type }) => type !== 'row');

const promtool = findPromtool();
const checked = skipped('alerts and dashboard are checked by promtool', promtool) ? test.skip : test;
const run = (...args: readonly string[]) =>
  execFileSync(pathOf(promtool), args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });

/** A panel's expression as Prometheus gets it from Grafana. */
const filled = (expr: string) => expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$(role|instance)/g, '.*');

describe('the alerts', () => {
  checked('are valid, and fire when they should and only then', () => {
    expect(run('check', 'config', 'deploy/prometheus/prometheus.yaml')).toContain(`${alerts.length} rules found`);
    expect(run('test', 'rules', 'deploy/prometheus/alerts.test.yaml')).toContain('SUCCESS');
  });

  test('are each tested when they are quiet and when they fire', () => {
    const one = z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()) });
    const file = z.object({ tests: z.array(z.object({ alert_rule_test: z.array(one) })) });
    const cases = file
      .parse(parseYaml(read('deploy/prometheus/alerts.test.yaml'))[0])
      .tests.flatMap((unit) => unit.alert_rule_test);
    for (const { alert: name } of alerts) {
      const outcomes = cases
        .filter(({ alertname }) => alertname === name)
        .map(({ exp_alerts: fired }) => fired.length > 0);
      expect({ name, outcomes }).toEqual({ name, outcomes: [false, true] });
    }
  });

  test('have a runbook each, of one form, and no runbook is without an alert', () => {
    const names = alerts.map(({ alert: name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const files = readdirSync(join(root, 'docs/operations/runbooks')).filter((name) => name !== 'README.md');
    expect(files.sort()).toEqual(names.map((name) => `${name}.md`).sort());
    for (const { alert: name, annotations } of alerts) {
      expect(annotations.runbook).toBe(`docs/operations/runbooks/${name}.md`);
      const headings = [...read(annotations.runbook).matchAll(/^#+ (.*)$/gm)].map(([, text]) => text);
      expect(headings).toEqual([name, 'What it means', 'What users notice', 'Look first', 'Do', 'Afterwards']);
    }
  });

  test('name, in their runbooks, only commands, variables, values and lines of the log that there are', async () => {
    const known = new Set(await commandNames());
    const variables = new Set([...knownVariables(), 'NODE_OPTIONS', 'ARCHIVE', 'METRICS', 'KEEP']);
    const code = sources();
    // Values of enums, such as the invariants of the ledger, are written like variables.
    const isValue = (name: string) => new RegExp(`'${name}'|\\b${name}: `).test(code);
    for (const { annotations } of alerts) {
      const text = read(annotations.runbook).replaceAll(/\s+/g, ' ');
      const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);
      expect(all(/`lastro ([a-zA-Z-]+)/g).filter((name) => !known.has(name))).toEqual([]);
      expect(all(/\b([A-Z]{2,}(?:_[A-Z]+)+)\b/g).filter((name) => !variables.has(name) && !isValue(name))).toEqual([]);
      expect(all(/`([A-Z][a-z]+ [^`]+)`/g).filter((line) => !code.includes(line))).toEqual([]);
    }
  });
});

describe('the dashboard', () => {
  checked('has expressions that Prometheus understands', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lastro-dashboard-'));
    const records = panels
      .flatMap(({ targets }) => targets)
      .map(({ expr }, index) => ({ record: `panel:${index}`, expr: filled(expr) }));
    expect(records.length).toBeGreaterThan(panels.length - 1);
    writeFileSync(join(folder, 'rules.yaml'), JSON.stringify({ groups: [{ name: 'dashboard', rules: records }] }));
    expect(run('check', 'rules', join(folder, 'rules.yaml'))).toContain(`${records.length} rules found`);
    rmSync(folder, { recursive: true });
  });

  test('says of each panel what it shows', () => {
    for (const { title, description, targets } of panels) {
      expect({ title, said: description !== '', queries: targets.length > 0 }).toEqual({
        title,
        said: true,
        queries: true,
      });
    }
  });
});

describe('what alerts and dashboard ask for', () => {
  let platform: TestPlatform;
  let names: ReadonlySet<string>;

  beforeAll(async () => {
    platform = await openTestPlatform({ REQUEST_LOG_DAYS: '30', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    const text = await (await fetch(`${platform.url}/metrics`)).text();
    names = namesIn(text);
  });
  afterAll(async () => {
    await platform.close();
  });

  test('is shown by the program, but for what Prometheus and the backup add', () => {
    const ofBackup = [...read('deploy/backup/backup.sh').matchAll(/# TYPE (\w+) gauge/g)].map(([, name = '']) => name);
    const known = new Set([...names, ...ofBackup, 'up']);
    const asked = [
      ...alerts.map(({ expr }) => expr),
      ...panels.flatMap(({ targets }) => targets).map(({ expr }) => filled(expr)),
    ];
    const missing = asked.flatMap(metricsOf).filter((name) => !known.has(name));
    expect(missing).toEqual([]);
  });

  test('is asked for completely: every metric of our own is on the dashboard', () => {
    const shown = new Set(panels.flatMap(({ targets }) => targets).flatMap(({ expr }) => metricsOf(filled(expr))));
    const ours = [...names].filter((name) => !/^(process|nodejs)_|_(bucket|sum|count)$/.test(name));
    const absent = ours.filter((name) => ![name, `${name}_count`, `${name}_bucket`].some((form) => shown.has(form)));
    expect(absent).toEqual([]);
  });
});

/** The text of all files of the program, in which its log has its words. */
function sources(): string {
  const paths = execFileSync('git', ['ls-files', '-z', 'shared', 'gateway', 'subgraphs', 'bootstrap', 'main.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  return paths
    .split('\0')
    .filter((path) => path.endsWith('.ts'))
    .map(read)
    .join('\n');
}

/** The names of the series of a response of `/metrics`. */
function namesIn(text: string): ReadonlySet<string> {
  return new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' || type === 'summary' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
}

/** The names of metrics in an expression: what is left without labels, groups of labels, functions, operators and numbers. */
function metricsOf(expr: string): string[] {
  const bare = expr
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ')
    .replaceAll(/\b(by|on|without|ignoring)\s*\([^)]*\)/g, ' ')
    .replaceAll(/\b(or|and|unless|offset \w+)\b/g, ' ');
  return [...bare.matchAll(/[a-zA-Z_][a-zA-Z0-9_]*\b(?!\s*\()/g)].map(([name]) => name);
}
