import { useState } from 'react';
import { Badge } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { ConfirmDialog } from '../../design/controls/dialog.js';
import { Table, type Column } from '../../design/table.js';
import { date, decimal, moment, plural } from '../frame/language.js';
import { FailureNotice, Loaded, PageHead } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { operatorTexts } from './texts.js';

type Operator = Operations['operators']['data']['operators'][number];

/** An act on an operator that is asked for. */
interface Asked {
  readonly act: (typeof acts)[number];
  readonly operator: Operator;
}

const acts = ['sessions', 'revoke'] as const;

/** The operators, their roles, and the end of their sessions or of their access. */
export function Operators() {
  const { operators: text } = operatorTexts.get();
  const query = useQuery(graph, 'operators', {});
  const action = useAction();
  const [asked, setAsked] = useState<Asked>();
  const [note, setNote] = useState('');
  const act = async ({ id, email }: Operator, wanted: Asked['act']) => {
    if (wanted === 'revoke') {
      await graph.mutate('revokeOperator', { operator: email });
      setNote(text.revokedOf(email));
    } else {
      const { endSessionsOf: count } = await graph.mutate('endSessionsOf', { owner: id });
      const ended = count ?? 0;
      setNote(plural(ended, { one: text.ended.one, other: text.ended.other(decimal(ended)) }));
    }
  };
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <p role="status" className="note">
        {note}
      </p>
      <Loaded query={query}>
        {({ operators }) => (
          <Table
            caption={text.title}
            rows={operators}
            keyOf={({ id }) => id}
            empty={text.empty}
            columns={columnsOf(setAsked)}
          />
        )}
      </Loaded>
      <ConfirmDialog
        title={asked === undefined ? '' : `${text.actsOf[asked.act]}: ${asked.operator.email}`}
        isOpen={asked !== undefined}
        onClose={() => {
          setAsked(undefined);
          action.clear();
        }}
        act={asked === undefined ? '' : text.actsOf[asked.act]}
        cancel={frameTexts.get().cancel}
        isBusy={action.isBusy}
        problem={<FailureNotice failure={action.failure} />}
        onConfirm={() => {
          if (asked === undefined) return;
          void action
            .run(() => act(asked.operator, asked.act))
            .then((worked) => {
              if (!worked) return;
              setAsked(undefined);
              query.reload();
            });
        }}
      >
        {asked === undefined ? null : text.texts[asked.act]}
      </ConfirmDialog>
    </>
  );
}

function columnsOf(ask: (asked: Asked) => void): readonly Column<Operator>[] {
  const { operators: text } = operatorTexts.get();
  return [
    {
      label: text.operator,
      kind: 'nowrap',
      cell: ({ name, email }) => (
        <>
          {name}
          <span className="sub">{email}</span>
        </>
      ),
    },
    {
      label: text.roles,
      kind: 'wide',
      cell: ({ roles }) => roles.map((role) => text.roleNames[role] ?? role).join(', '),
    },
    { label: text.keys, kind: 'number', cell: ({ keys }) => decimal(keys.filter(isLive).length) },
    { label: text.lastUsed, kind: 'nowrap', cell: ({ keys }) => moment(lastUse(keys)) },
    {
      label: text.status,
      cell: ({ revokedAt }) => (
        <Badge tone={revokedAt === null ? 'good' : 'plain'}>
          {revokedAt === null ? text.active : text.revoked(date(revokedAt))}
        </Badge>
      ),
    },
    {
      label: text.acts,
      cell: (operator) =>
        operator.revokedAt === null ? (
          <span className="row">
            {acts.map((one) => (
              <Button
                key={one}
                label={`${text.actsOf[one]}: ${operator.email}`}
                onPress={() => ask({ act: one, operator })}
              >
                {text.actsOf[one]}
              </Button>
            ))}
          </span>
        ) : null,
    },
  ];
}

const isLive = ({ revokedAt }: Operator['keys'][number]) => revokedAt === null;

function lastUse(keys: Operator['keys']): string | null {
  const uses = keys.flatMap(({ lastUsedAt }) => (lastUsedAt === null ? [] : [lastUsedAt]));
  return uses.toSorted().at(-1) ?? null;
}
