import { useState } from 'react';
import { Badge } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { ConfirmDialog } from '../../design/controls/dialog.js';
import { Table } from '../../design/table.js';
import { decimal, moment, plural } from '../frame/language.js';
import { FailureNotice, Loaded, PageHead } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { accountTexts } from './texts.js';
import { programOf } from './user-agent.js';

type Session = Operations['sessions']['data']['sessions'][number];

/** The sessions of the owner, at most 50. */
export function Sessions() {
  const { sessions: text } = accountTexts.get();
  const query = useQuery(graph, 'sessions', {});
  const action = useAction();
  const [note, setNote] = useState('');
  const [isAsking, setAsking] = useState(false);
  const end = ({ id }: Session) => {
    void action.run(async () => {
      await graph.mutate('endSession', { id });
      setNote(text.ended);
      query.reload();
    });
  };
  return (
    <>
      <PageHead
        title={text.title}
        lead={text.lead}
        acts={<Button onPress={() => setAsking(true)}>{text.endOthers}</Button>}
      />
      <p role="status" className="note">
        {note}
      </p>
      <FailureNotice failure={action.failure} />
      <Loaded query={query}>{({ sessions }) => <List sessions={sessions} isBusy={action.isBusy} onEnd={end} />}</Loaded>
      <EndOthers
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onDone={(count) => {
          setAsking(false);
          setNote(plural(count, { one: text.endedOthers.one, other: text.endedOthers.other(decimal(count)) }));
          query.reload();
        }}
      />
    </>
  );
}

function List(props: {
  readonly sessions: readonly Session[];
  readonly isBusy: boolean;
  readonly onEnd: (session: Session) => void;
}) {
  const { sessions: text } = accountTexts.get();
  return (
    <Table
      caption={text.title}
      rows={props.sessions}
      keyOf={({ id }) => id}
      empty={text.empty}
      columns={[
        {
          label: text.program,
          kind: 'wide',
          cell: ({ userAgent, browser, current }) => (
            <>
              <Program userAgent={userAgent} />
              <span className="sub">
                {browser ? text.browser : text.token} {current ? <Badge tone="good">{text.current}</Badge> : null}
              </span>
            </>
          ),
        },
        { label: text.network, kind: 'nowrap', cell: ({ network }) => <code>{network}</code> },
        { label: text.opened, kind: 'nowrap', cell: ({ createdAt }) => moment(createdAt) },
        { label: text.lastSeen, kind: 'nowrap', cell: ({ lastSeenAt }) => moment(lastSeenAt) },
        { label: text.expires, kind: 'nowrap', cell: ({ expiresAt }) => moment(expiresAt) },
        {
          label: text.acts,
          cell: (session) =>
            session.current ? (
              '—'
            ) : (
              <Button
                label={`${text.end} ${moment(session.createdAt)}`}
                isDisabled={props.isBusy}
                onPress={() => props.onEnd(session)}
              >
                {text.end}
              </Button>
            ),
        },
      ]}
    />
  );
}

function Program({ userAgent }: { readonly userAgent: string | null }) {
  const { sessions: text } = accountTexts.get();
  if (userAgent === null) return text.unknown;
  const program = programOf(userAgent);
  return <span title={userAgent}>{program === undefined ? userAgent : `${program.browser}, ${program.system}`}</span>;
}

function EndOthers(props: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: (count: number) => void;
}) {
  const { sessions: text } = accountTexts.get();
  const action = useAction();
  return (
    <ConfirmDialog
      title={text.endOthers}
      isOpen={props.isOpen}
      onClose={props.onClose}
      act={text.endOthers}
      cancel={frameTexts.get().cancel}
      isBusy={action.isBusy}
      problem={<FailureNotice failure={action.failure} />}
      onConfirm={() => {
        void action.run(async () => {
          const { endOtherSessions } = await graph.mutate('endOtherSessions', {});
          props.onDone(endOtherSessions ?? 0);
        });
      }}
    >
      <p>{text.endOthersText}</p>
    </ConfirmDialog>
  );
}
