import { useState } from 'react';
import { Badge, Facts, Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { ConfirmDialog } from '../../design/controls/dialog.js';
import { Table } from '../../design/table.js';
import { date, decimal } from '../frame/language.js';
import { FailureNotice, Loaded, PageHead } from '../frame/parts.js';
import { useSession } from '../frame/session.js';
import { frameTexts } from '../frame/texts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { operatorTexts } from './texts.js';

type Originator = Operations['allOriginators']['data']['originators'][number];

/** The clients that assign credits: their keys, permits, and whether people of their account may send. */
export function Originators() {
  const { originators: text } = operatorTexts.get();
  const query = useQuery(graph, 'allOriginators', {});
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <Loaded query={query}>
        {({ originators }) =>
          originators.length === 0 ? (
            <p className="empty">{text.empty}</p>
          ) : (
            originators.map((one) => <OriginatorPart key={one.id} originator={one} onChange={query.reload} />)
          )
        }
      </Loaded>
    </>
  );
}

/** An act on an originator that is asked for, with what it does. */
interface Asked {
  readonly act: string;
  readonly text: string;
  readonly run: () => Promise<unknown>;
}

function OriginatorPart({ originator, onChange }: { readonly originator: Originator; readonly onChange: () => void }) {
  const { originators: text } = operatorTexts.get();
  const mayAct = useSession()?.scopes.includes('originate') === true;
  const [asked, setAsked] = useState<Asked>();
  const action = useAction();
  const { id, name, status, accountId, accountMaySend } = originator;
  const isActive = status === 'ACTIVE';
  const acts: readonly Asked[] = [
    {
      act: isActive ? text.suspend : text.activate,
      text: isActive ? text.suspendText : text.activateText,
      run: () => graph.mutate('changeOriginator', { id, status: isActive ? 'SUSPENDED' : 'ACTIVE' }),
    },
    ...(accountId === null
      ? []
      : [
          {
            act: accountMaySend ? text.withdrawSending : text.permitSending,
            text: accountMaySend ? text.withdrawSendingText : text.permitSendingText,
            run: () => graph.mutate('permitAccountToSend', { id, permitted: !accountMaySend }),
          },
        ]),
  ];
  return (
    <Section id={`originator-${id}`} title={name}>
      <Summary originator={originator} />
      <Keys rows={originator.keys} />
      {mayAct ? (
        <div className="row">
          {acts.map((one) => (
            <Button
              key={one.act}
              label={`${one.act}: ${name}`}
              onPress={() => {
                setAsked(one);
              }}
            >
              {one.act}
            </Button>
          ))}
        </div>
      ) : null}
      <ConfirmDialog
        title={`${asked?.act ?? ''}: ${name}`}
        isOpen={asked !== undefined}
        onClose={() => {
          setAsked(undefined);
          action.clear();
        }}
        act={asked?.act ?? ''}
        cancel={frameTexts.get().cancel}
        isBusy={action.isBusy}
        problem={<FailureNotice failure={action.failure} />}
        onConfirm={() => {
          if (asked === undefined) return;
          void action.run(asked.run).then((worked) => {
            if (!worked) return;
            setAsked(undefined);
            onChange();
          });
        }}
      >
        {asked?.text}
      </ConfirmDialog>
    </Section>
  );
}

function Summary({ originator }: { readonly originator: Originator }) {
  const { originators: text } = operatorTexts.get();
  const { id, status, accountId, accountMaySend, rateLimit, createdAt, permits } = originator;
  return (
    <Facts
      items={[
        [text.clientId, <code key="id">{id}</code>],
        [
          text.status,
          <Badge key="status" tone={status === 'ACTIVE' ? 'good' : 'bad'}>
            {text.states[status]}
          </Badge>,
        ],
        [text.account, accountId === null ? text.none : <code key="account">{accountId}</code>],
        [text.sending, accountMaySend ? text.yes : text.no],
        [text.limit, rateLimit === null ? text.defaultLimit : text.perMinute(decimal(rateLimit))],
        [text.created, date(createdAt)],
        [text.permits, permits.map(({ patrimony }) => patrimony?.ticker ?? '—').join(', ') || text.none],
      ]}
    />
  );
}

function Keys({ rows }: { readonly rows: Originator['keys'] }) {
  const { originators: text } = operatorTexts.get();
  return (
    <Table
      caption={text.keys}
      rows={rows}
      keyOf={({ id }) => id}
      empty={text.noKeys}
      columns={[
        { label: text.keys, kind: 'wide', cell: ({ fingerprint }) => <code>{fingerprint}</code> },
        { label: text.bits, kind: 'number', cell: ({ bits }) => decimal(bits) },
        { label: text.created, kind: 'nowrap', cell: (key) => date(key.createdAt) },
        {
          label: text.status,
          kind: 'nowrap',
          cell: ({ revokedAt }) => (revokedAt === null ? text.valid : text.revoked(date(revokedAt))),
        },
      ]}
    />
  );
}
