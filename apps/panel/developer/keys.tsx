import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  Badge,
  noted,
  TableSection,
  type Column,
  type Tone,
  Empty,
  Facts,
  Section,
  Stats,
} from '../../design/basics.js';
import { Check, Checks, SelectInput, TextInput } from '../../design/controls/controls.js';
import { DialogButton, ActButton, ActDialog, type Ending } from '../frame/ask.js';
import { date, decimal, moment, plural } from '../frame/language.js';
import { Loaded, Note, PageHead, useNote, textOf, textsOf } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import { developerTexts } from '../texts.js';
import { SecretsDialog } from '../frame/secrets.js';
import { accepted } from '../frame/failure.js';
import { frameTexts } from '../frame/texts.js';
import { LineChart } from '../../design/line-chart.js';
import { usePathPart } from '../frame/address.js';

export function Keys() {
  const { keys: text } = developerTexts.get();
  const query = useQuery(graph, 'keys', {});
  const [showRevoked, setShowRevoked] = useState(false);
  const [note, onRevoked] = useNote(query.reload);
  const columns = columnsOf(onRevoked);
  const shown = (keys: readonly Key[]) => keys.filter(({ status }) => showRevoked || status === 'ACTIVE');
  return (
    <>
      <PageHead
        title={text.title}
        lead={text.lead}
        acts={
          <DialogButton kind="main" act={text.create}>
            {({ onClose }) => <CreateKey onClose={onClose} onCreated={query.reload} />}
          </DialogButton>
        }
      />
      <Note>{note}</Note>
      <Loaded query={query}>
        {({ apiKeys, developerKeys }) => (
          <>
            <Check isSelected={showRevoked} onChange={setShowRevoked}>
              {text.showRevoked}
            </Check>
            <TableSection
              id="api"
              title={text.apiKeys}
              rows={shown(apiKeys)}
              empty={text.apiKeysEmpty}
              columns={columns}
            />
            <TableSection
              id="developer"
              title={text.developerKeys}
              rows={shown(developerKeys)}
              empty={text.developerKeysEmpty}
              columns={columns}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

function columnsOf(onRevoked: (said: string) => void): readonly Column<Key>[] {
  const { keys: text, words } = developerTexts.get();
  return [
    {
      label: words.name,
      kind: 'wide',
      cell: ({ id, name, prefix, scopes }) =>
        noted(
          <Link to="/desenvolvedor/chaves/$id" params={{ id }}>
            {name}
          </Link>,
          <>
            <code>{prefix}…</code> {scopes?.join(', ')}
          </>,
        ),
    },
    {
      label: words.status,
      cell: (key) => {
        const { tone, state } = keyState(key, Date.now());
        return <Badge tone={tone}>{text.states[state]}</Badge>;
      },
    },
    { label: words.limit, kind: 'number', cell: ({ rateLimit }) => text.perMinute(decimal(rateLimit)) },
    { label: words.requests, kind: 'number', cell: ({ requestCount }) => decimal(requestCount) },
    {
      label: words.lastUsed,
      kind: 'nowrap',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? words.never : moment(lastUsedAt)),
    },
    { label: words.expires, kind: 'nowrap', cell: ({ expiresAt }) => date(expiresAt) },
    {
      label: words.acts,
      cell: (key) =>
        key.status === 'REVOKED' ? (
          '—'
        ) : (
          <RevokeKey of={key} label={`${words.revoke} ${key.name}`} onDone={onRevoked} />
        ),
    },
  ];
}

/** Revokes a key, once that is confirmed. Its label names the key, where there are several. */
export function RevokeKey(props: {
  readonly of: Key;
  readonly label?: string;
  readonly onDone: (said: string) => void;
}) {
  const { of, onDone, ...label } = props;
  const { keys: text, words } = developerTexts.get();
  const act = of.scopes === undefined ? ('revokeApiKey' as const) : ('revokeDeveloperKey' as const);
  return (
    <ActButton
      {...label}
      title={text.revokeTitle(of.name)}
      act={words.revoke}
      kind="danger"
      text={text.revokeText}
      run={() => graph.mutate(act, { id: of.id })}
      onDone={() => onDone(text.revoked(of.name))}
    />
  );
}
type DeveloperKey = Operations['keys']['data']['developerKeys'][number];
/** A key of either kind; only developer keys have scopes. */
export type Key = Operations['keys']['data']['apiKeys'][number] & Partial<Pick<DeveloperKey, 'scopes'>>;

const dayMs = 86_400_000;
const soonDays = 30;

export function keyState(
  key: { readonly status: 'ACTIVE' | 'REVOKED'; readonly expiresAt: string },
  now: number,
): { readonly state: 'active' | 'expiring' | 'expired' | 'revoked'; readonly tone: Tone } {
  const leftMs = Date.parse(key.expiresAt) - now;
  if (key.status === 'REVOKED') return { state: 'revoked', tone: 'plain' };
  if (leftMs <= 0) return { state: 'expired', tone: 'bad' };
  if (leftMs <= soonDays * dayMs) return { state: 'expiring', tone: 'warn' };
  return { state: 'active', tone: 'good' };
}

const scopes = ['contracts:read', 'credit:read', 'webhooks:read', 'webhooks:write'] as const;

function CreateKey(props: { readonly onClose: () => void; readonly onCreated: () => void }) {
  const { onClose, onCreated } = props;
  const { keys: text, words } = developerTexts.get();
  const [key, setKey] = useState<{ readonly value: string; readonly scopes: readonly string[] }>();
  if (key !== undefined) return <CreatedKey {...key} onClose={onClose} />;
  return (
    <ActDialog
      act={text.create}
      fields={['name', 'scopes']}
      onClose={onClose}
      run={async (values) => {
        const name = textOf(values, 'name');
        const isApi = textOf(values, 'kind') === 'api';
        const chosen = isApi ? [] : textsOf(values, 'scopes');
        const created = isApi
          ? (await graph.mutate('createApiKey', { name })).createApiKeyResult
          : (await graph.mutate('createDeveloperKey', { name, scopes: chosen })).createDeveloperKeyResult;
        setKey({ value: accepted(created).key, scopes: chosen });
      }}
      onDone={onCreated}
    >
      <TextInput
        name="name"
        label={words.name}
        hint={text.nameHint}
        maxLength={200}
        autoComplete="off"
        isRequired
        autoFocus
      />
      <KindFields />
    </ActDialog>
  );
}

function KindFields() {
  const { keys: text, words } = developerTexts.get();
  const [kind, setKind] = useState<keyof typeof text.kinds>('api');
  return (
    <>
      <SelectInput name="kind" label={words.kind} value={kind} onChange={setKind} options={text.kinds} />
      {kind === 'api' ? null : (
        <Checks
          name="scopes"
          label={text.scopes}
          defaultValue={[]}
          required={frameTexts.get().chooseOne}
          options={scopes.map((value) => ({ value, text: text.scopeTexts[value], hint: <code>{value}</code> }))}
        />
      )}
    </>
  );
}

const graphCall = (fields: string) =>
  `/graphql -H 'Content-Type: application/json' -d '${JSON.stringify({ query: `{ ${fields} }` })}'`;

const firstCalls: Readonly<Record<string, string>> = {
  'contracts:read': '/developer/contracts',
  'credit:read': graphCall('creditBatches { totalCount }'),
  'webhooks:read': '/developer/webhooks',
  'webhooks:write': graphCall('webhookEvents { name }'),
};

/** Shows the complete value of a new key, once, with a first call. */
export function CreatedKey(props: {
  readonly value: string;
  readonly scopes?: readonly string[] | undefined;
  readonly onClose: () => void;
}) {
  const { value, scopes: [scope = ''] = [], onClose } = props;
  const { keys: text, words } = developerTexts.get();
  const call = firstCalls[scope] ?? '/v1/emissoes/operacoes';
  return (
    <SecretsDialog
      title={text.createdTitle}
      text={text.createdText}
      secrets={[
        [words.key, value],
        [text.firstCall, `curl -s -H 'X-API-Key: ${value}' ${location.origin}${call}`],
      ]}
      done={text.done}
      onClose={onClose}
    />
  );
}

export function KeyPage() {
  const { keys: text } = developerTexts.get();
  const id = usePathPart('id');
  const query = useQuery(graph, 'keys', {});
  const usage = useQuery(graph, 'keyUsage', { id });
  const [note, done] = useNote(query.reload);
  const { data } = query;
  const found: Key | undefined = [...(data?.apiKeys ?? []), ...(data?.developerKeys ?? [])].find(
    (one) => one.id === id,
  );
  return (
    <>
      <PageHead
        title={found?.name ?? text.title}
        lead={<Link to="/desenvolvedor/chaves">{text.back}</Link>}
        acts={found?.status === 'ACTIVE' ? <Acts of={found} onDone={done} /> : undefined}
      />
      <Note>{note}</Note>
      <div className="stack">
        <Loaded query={query}>
          {() => (found === undefined ? <Empty>{frameTexts.get().notFound}</Empty> : <Summary of={found} />)}
        </Loaded>
        <Loaded query={usage}>{({ keyUsage: [use] }) => (use === undefined ? null : <Use of={use} />)}</Loaded>
      </div>
    </>
  );
}

function Acts({ of, onDone }: { readonly of: Key; readonly onDone: (said: string) => void }) {
  const { keys: text } = developerTexts.get();
  return (
    <>
      {of.replacedBy === null && of.scopes?.includes('operator') !== true ? (
        <DialogButton act={text.rotate} onDone={() => onDone(text.rotated)}>
          {(ending) => <RotateKey rotated={of} {...ending} />}
        </DialogButton>
      ) : null}
      <RevokeKey of={of} onDone={onDone} />
    </>
  );
}

function Summary({ of }: { readonly of: Key }) {
  const { keys: text, words } = developerTexts.get();
  const { tone, state } = keyState(of, Date.now());
  return (
    <Facts
      items={[
        [words.key, <code key="prefix">{of.prefix}…</code>],
        [
          words.status,
          <Badge key="status" tone={tone}>
            {text.states[state]}
          </Badge>,
        ],
        ...(of.scopes === undefined ? [] : [[text.scopes, of.scopes.join(', ')] as const]),
        [text.created, date(of.createdAt)],
        [words.expires, moment(of.expiresAt)],
        ...(of.replacedBy === null
          ? []
          : [
              [
                text.replacedBy,
                <Link key="next" to="/desenvolvedor/chaves/$id" params={{ id: of.replacedBy }}>
                  {text.newKey}
                </Link>,
              ] as const,
            ]),
        [words.lastUsed, of.lastUsedAt === null ? words.never : moment(of.lastUsedAt)],
        [words.limit, text.perMinute(decimal(of.rateLimit))],
      ]}
    />
  );
}

function Use({ of: { window, days } }: { readonly of: Operations['keyUsage']['data']['keyUsage'][number] }) {
  const { keys: text, words } = developerTexts.get();
  const sum = (name: 'requests' | 'refused') => days.reduce((total, day) => total + day[name], 0);
  const points = days.map(({ day, requests }) => ({ date: day, value: String(requests) }));
  return (
    <Section id="use" title={text.use}>
      <Stats
        items={[
          { label: words.requests, value: decimal(sum('requests')), note: text.last30 },
          { label: text.refused, value: decimal(sum('refused')), note: text.last30 },
          ...(window === null
            ? []
            : [{ label: text.thisMinute, value: decimal(window.used), note: text.ofLimit(decimal(window.limit)) }]),
        ]}
      />
      {sum('requests') === 0 ? (
        <Empty>{text.unused}</Empty>
      ) : (
        <div className="chart">
          <LineChart
            points={points}
            label={text.useLabel(decimal(sum('requests')))}
            formatValue={(value) => decimal(value)}
            formatDate={date}
          />
        </div>
      )}
    </Section>
  );
}

const graceDays = [0, 1, 7, 14, 30];

function RotateKey({ rotated, onClose, onDone }: Ending & { readonly rotated: Key }) {
  const { keys: text } = developerTexts.get();
  const [created, setCreated] = useState<string>();
  if (created !== undefined) return <CreatedKey value={created} scopes={rotated.scopes} onClose={onDone} />;
  return (
    <ActDialog
      title={text.rotateTitle(rotated.name)}
      act={text.rotate}
      text={text.rotateText}
      onClose={onClose}
      run={async (values) => {
        const variables = { id: rotated.id, graceDays: Number(textOf(values, 'graceDays')) };
        const made =
          rotated.scopes === undefined
            ? (await graph.mutate('rotateApiKey', variables)).rotateApiKeyResult
            : (await graph.mutate('rotateDeveloperKey', variables)).rotateDeveloperKeyResult;
        setCreated(accepted(made).newKey.key);
      }}
      onDone={() => undefined}
    >
      <SelectInput
        name="graceDays"
        label={text.grace}
        defaultValue="7"
        options={graceDays.map((days) => ({
          value: String(days),
          text: days === 0 ? text.noGrace : plural(days, text.days),
        }))}
      />
    </ActDialog>
  );
}
