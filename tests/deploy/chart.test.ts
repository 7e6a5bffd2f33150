import { beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { loadConfig } from '../../shared/kernel/config.js';
import {
  findHelm,
  findKubeconform,
  findKubernetesSchemas,
  furtherConnections,
  knownVariables,
  parseYaml,
  pathOf,
  read,
  root,
  skipped,
  type Tool,
} from './tools.js';

/** What `values.yaml` says to set on one machine; it is made for one region. */
const topologies = {
  'one-node': [
    'topology=whole',
    'secret.keys={DATABASE_URL,MASTER_KEY,SMTP_URL}',
    'defaults.replicas=1',
    'podDisruptionBudget.enabled=false',
  ],
  'one-region': [],
} as const;
type Topology = keyof typeof topologies;
/** The oldest version that the chart permits, and the newest whose schemas there are. */
const versions = ['v1.30.0', 'v1.37.0'];
const subgraphs = ['accounts', 'credit-assignment', 'issuances', 'tokenization', 'trading', 'webhooks'];

const env = z.array(
  z.object({
    name: z.string(),
    value: z.string().optional(),
    valueFrom: z.object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }) }).optional(),
  }),
);
const container = z.looseObject({
  env,
  securityContext: z.unknown(),
  resources: z.object({ requests: z.record(z.string(), z.string()) }),
});
const pod = z.looseObject({
  metadata: z.object({ labels: z.record(z.string(), z.string()) }),
  spec: z.looseObject({ containers: z.array(container), securityContext: z.unknown() }),
});
const resource = z.looseObject({
  kind: z.string(),
  metadata: z.object({ name: z.string(), annotations: z.record(z.string(), z.string()).default({}) }),
  spec: z.looseObject({ template: pod.optional() }),
});
type Resource = z.infer<typeof resource>;

const [helm, kubeconform] = [findHelm(), findKubeconform()];
const rendering = skipped('the chart is rendered', helm) ? describe.skip : describe;
const schemas: readonly Tool[] =
  helm.missing === undefined && kubeconform.missing === undefined
    ? versions.map(findKubernetesSchemas)
    : [{ missing: 'no kubeconform' }];
const validated = skipped('what the chart renders is valid', ...schemas) ? test.skip : test;

const own = [
  'publicUrl=https://lastro.example.com',
  'serviceMonitor.enabled=true',
  'prometheusRule.enabled=true',
  'tracing.endpoint=http://collector:4318',
  'ingress.enabled=true',
  'extraVolumes[0].name=keys',
  'extraVolumes[0].configMap.name=router-keys',
  'extraVolumeMounts[0].name=keys',
  'extraVolumeMounts[0].mountPath=/etc/lastro/keys',
  'networkPolicy.routers[0].podSelector.matchLabels.app=router',
];
const hosts = ['ingress.hosts[0].host=lastro.example.com', 'ingress.hosts[0].tlsSecret=lastro-tls'];

function render(topology: Topology, settings: readonly string[] = [...own, ...hosts], further: readonly string[] = []) {
  const set = [...topologies[topology], ...settings].flatMap((one) => ['--set', one]);
  const options = ['--kube-version', '1.34.0', ...further, ...set];
  return spawnSync(pathOf(helm), ['template', 'lastro', join(root, 'deploy/helm/lastro'), ...options], {
    encoding: 'utf8',
  });
}

rendering.each(['one-node', 'one-region'] as const)('the chart for %s', (topology) => {
  let text: string;
  let resources: Resource[];
  const ofKind = (kind: string) => resources.filter((one) => one.kind === kind);
  const containersOf = ({ spec }: Resource) => spec.template?.spec.containers ?? [];

  beforeAll(() => {
    const { status, stdout, stderr } = render(topology);
    if (status !== 0) throw new Error(stderr);
    text = stdout;
    resources = parseYaml(text)
      .filter((one) => one !== null)
      .map((one) => resource.parse(one));
  });

  // One topology has every kind: it is enough for the older version.
  const against = topology === 'one-region' ? schemas : schemas.slice(-1);
  validated(
    'is valid for Kubernetes 1.37, and one also for 1.30, but for the two kinds of the Prometheus operator, which are not Kubernetes’ own',
    () => {
      for (const folder of against) {
        const location = join(pathOf(folder), '{{.ResourceKind}}{{.KindSuffix}}.json');
        const options = ['-strict', '-summary', '-skip', 'ServiceMonitor,PrometheusRule', '-schema-location', location];
        const { stdout } = spawnSync(pathOf(kubeconform), options, { input: text, encoding: 'utf8' });
        expect(stdout).toContain(`Valid: ${resources.length - 2}, Invalid: 0, Errors: 0, Skipped: 2`);
      }
    },
  );

  test('runs the parts of its topology, each with a Service and a policy of the network', () => {
    const parts = topology === 'one-node' ? ['all'] : ['gateway', 'worker', ...subgraphs];
    const names = (kind: string) =>
      ofKind(kind)
        .map(({ metadata: { name } }) => name)
        .sort();
    const expected = parts.map((part) => `lastro-${part}`).sort();
    expect(names('Deployment')).toEqual(expected);
    expect(names('Service')).toEqual(expected);
    expect(names('NetworkPolicy')).toEqual([...expected, 'lastro-migrate'].sort());
    for (const { spec } of [...ofKind('Service')]) {
      const pods = ofKind('Deployment').filter(({ spec: { template } }) =>
        Object.entries(z.record(z.string(), z.string()).parse(spec['selector'])).every(
          ([key, value]) => template?.metadata.labels[key] === value,
        ),
      );
      expect(pods).toHaveLength(1);
    }
  });

  test('gives every process a configuration that it accepts, with no variable that it does not know', () => {
    const secrets: Readonly<Record<string, string>> = {
      DATABASE_URL: 'postgresql://lastro_app:x@db/lastro',
      DATABASE_ADMIN_URL: 'postgresql://lastro_owner:x@db/lastro',
      REDIS_URL: 'rediss://redis:6379',
      MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      SMTP_URL: 'smtps://mail.example.com',
    };
    for (const process of [...ofKind('Deployment'), ...ofKind('Job')]) {
      for (const { env: variables } of containersOf(process)) {
        const given = Object.fromEntries(
          variables.map(({ name, value, valueFrom }) => [name, value ?? secrets[valueFrom?.secretKeyRef.key ?? '']]),
        );
        const unknown = Object.keys(given).filter((name) => !knownVariables().has(name) && secrets[name] === undefined);
        expect({ process: process.metadata.name, unknown }).toEqual({ process: process.metadata.name, unknown: [] });
        const role = given['ROLE'] === 'migrate' ? 'all' : given['ROLE'];
        expect(() => loadConfig({ ...given, ROLE: role, NODE_ENV: 'production' })).not.toThrow();
      }
    }
  });

  test('migrates before an installation or an upgrade, and lets nothing else see the owner’s password', () => {
    const [job, ...others] = ofKind('Job');
    expect(others).toEqual([]);
    expect(job?.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    expect(JSON.stringify(job)).toContain('"value":"migrate"');
    expect(JSON.stringify(job)).toContain('DATABASE_ADMIN_URL');
    expect(JSON.stringify(ofKind('Deployment'))).not.toContain('lastro-owner');
  });

  test('gives no pod a right, and probes each', () => {
    for (const { kind, spec } of [...ofKind('Deployment'), ...ofKind('Job')]) {
      expect(spec.template?.spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true },
      });
      for (const one of spec.template?.spec.containers ?? []) {
        expect(one.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        if (kind === 'Job') continue;
        expect(one).toMatchObject({
          startupProbe: { httpGet: { path: '/healthz' } },
          livenessProbe: { httpGet: { path: '/healthz' } },
          readinessProbe: { httpGet: { path: '/readyz' } },
        });
      }
    }
  });

  test('gives every process the files that are mounted, the one that migrates too', () => {
    for (const { spec } of [...ofKind('Deployment'), ...ofKind('Job')]) {
      expect(spec.template?.spec).toMatchObject({
        volumes: [{ name: 'keys', configMap: { name: 'router-keys' } }],
        containers: [{ volumeMounts: [{ name: 'keys', mountPath: '/etc/lastro/keys' }] }],
      });
    }
  });

  test('lets a router that is named reach the subgraphs, and no other part', () => {
    const reached = ofKind('NetworkPolicy')
      .filter(({ spec }) => JSON.stringify(spec['ingress'] ?? []).includes('"app":"router"'))
      .map(({ metadata: { name } }) => name);
    expect(reached.sort()).toEqual(topology === 'one-node' ? [] : subgraphs.map((part) => `lastro-${part}`).sort());
  });

  test('requests the core that a process can use wherever processor time decides on their number', () => {
    for (const { spec } of ofKind('HorizontalPodAutoscaler')) {
      const { name } = z.object({ name: z.string() }).parse(spec['scaleTargetRef']);
      const scaled = ofKind('Deployment').filter(({ metadata }) => metadata.name === name);
      expect(scaled.flatMap(containersOf).map(({ resources: { requests } }) => requests['cpu'])).toEqual(['1']);
    }
  });

  test('keeps all but one of several pods while a node is drained, and scales what it says', () => {
    const budgets = ofKind('PodDisruptionBudget').map(({ metadata: { name } }) => name);
    const several = ofKind('Deployment')
      .filter(({ spec }) => spec['replicas'] !== 1)
      .map(({ metadata: { name } }) => name);
    expect(budgets.sort()).toEqual(several.sort());
    for (const { spec } of ofKind('HorizontalPodAutoscaler')) {
      const { name } = z.object({ name: z.string() }).parse(spec['scaleTargetRef']);
      expect(ofKind('Deployment').find(({ metadata }) => metadata.name === name)?.spec['replicas']).toBeUndefined();
    }
  });

  const most: Readonly<Record<Topology, number>> = {
    // The default of PostgreSQL.
    'one-node': 100,
    'one-region': Number(/max_connections: (\d+)/.exec(read('deploy/patroni/patroni.yml'))?.[1]),
  };
  test('opens fewer connections than its server accepts, at its highest number of processes and during an upgrade', () => {
    const needed = ofKind('Deployment').map(({ metadata: { name }, spec }) => {
      const scaler = ofKind('HorizontalPodAutoscaler').find(({ metadata }) => metadata.name === name)?.spec;
      const { type } = z.object({ type: z.string() }).parse(spec['strategy']);
      const replicas = Number(scaler?.['maxReplicas'] ?? spec['replicas']) + (type === 'Recreate' ? 0 : 1);
      const variables = spec.template?.spec.containers[0]?.env ?? [];
      const pool = Number(variables.find((one) => one.name === 'DATABASE_POOL')?.value ?? 20);
      return replicas * (pool + furtherConnections);
    });
    // The migrations have two connections of either role, and PostgreSQL keeps three for a superuser.
    const sum = needed.reduce((total, one) => total + one, 0) + 4 + 3;
    expect(sum).toBeLessThanOrEqual(most[topology]);
  });

  test('has the alerts of deploy/prometheus', () => {
    expect(ofKind('PrometheusRule')[0]?.spec).toEqual(parseYaml(read('deploy/prometheus/alerts.yaml'))[0]);
  });
});

rendering('the chart', () => {
  test('says what is missing', () => {
    expect(render('one-node', []).stderr).toContain('publicUrl is required');
    expect(render('one-node', [...own, ...hosts, 'topology=both']).stderr).toContain('topology must be whole or split');
  });

  /** The resources of a kind that a part has. */
  const partOf = (settings: readonly string[], kind: string, part: string) =>
    parseYaml(render('one-region', [...own, ...hosts, ...settings]).stdout)
      .filter((one) => one !== null)
      .map((one) => resource.parse(one))
      .find((one) => one.kind === kind && one.metadata.name === `lastro-${part}`);

  test('takes the values that deploy/README.md begins with, whose ingress passes bodies of 10 MiB', () => {
    const [, text = ''] = /^`own\.yaml` needs at least:\n\n```yaml\n(.*?)^```$/ms.exec(read('deploy/README.md')) ?? [];
    const file = join(mkdtempSync(join(tmpdir(), 'lastro-chart-')), 'own.yaml');
    writeFileSync(file, text.replaceAll(/<([^>@]*)>/g, 'x'));
    const { stdout } = render('one-region', [], ['-f', file]);
    rmSync(dirname(file), { recursive: true });
    const ingress = parseYaml(stdout).filter((one) => resource.safeParse(one).data?.kind === 'Ingress');
    expect(ingress).toEqual([
      expect.objectContaining({
        metadata: expect.objectContaining({ annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '10m' } }),
      }),
    ]);
  });

  test('lets every part reach the ports of the database, of Redis and of its sentinels, and what else is named', () => {
    const extra = 'networkPolicy.extraEgress[0].ports[0].port=587';
    const egress = JSON.stringify(partOf([extra], 'NetworkPolicy', 'webhooks')?.spec['egress']);
    expect(egress).toContain('{"ports":[{"port":5432,"protocol":"TCP"}]}');
    expect(egress).toContain('{"ports":[{"port":26379,"protocol":"TCP"},{"port":6379,"protocol":"TCP"}]}');
    expect(egress).toContain('{"ports":[{"port":587}]}');
  });

  test('gives a pod the time that it serves after the signal to stop, and more for a part that takes longer', () => {
    const settings = ['config.DRAIN_SECONDS=60', 'parts.gateway.env.DRAIN_SECONDS=300'];
    const seconds = (part: string) =>
      partOf(settings, 'Deployment', part)?.spec.template?.spec['terminationGracePeriodSeconds'];
    expect([seconds('worker'), seconds('gateway')]).toEqual([85, 325]);
  });

  test('starts the next process of simulated exchanges once the only one has ended', () => {
    const strategy = (replicas: number) =>
      partOf([`parts.trading.replicas=${replicas}`], 'Deployment', 'trading')?.spec['strategy'];
    expect(strategy(1)).toEqual({ type: 'Recreate' });
    expect(strategy(2)).toMatchObject({ type: 'RollingUpdate' });
  });
});
