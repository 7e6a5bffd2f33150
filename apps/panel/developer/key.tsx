import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge, Empty, Facts, Section, Stats } from '../../design/basics.js';
import { LineChart } from '../../design/line-chart.js';
import { usePathPart } from '../frame/address.js';
import { ActDialog, DialogButton, type Ending } from '../frame/ask.js';
import { date, decimal, moment, plural } from '../frame/language.js';
import { Loaded, Note, PageHead, textOf, useNote } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { developerTexts } from '../texts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph.js';
import { RevokeKey, keyState, type Key } from './revoke-key.js';
import { SelectInput } from '../../design/controls/controls.js';
import { accepted } from '../frame/failure.js';
import { CreatedKey } from './create-key.js';

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
