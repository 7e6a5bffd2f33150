import { useState } from 'react';
import { Badge } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Table } from '../../design/table.js';
import { Ask, DialogButton } from '../frame/ask.js';
import { moment, plural } from '../frame/language.js';
import { FailureNotice, Loaded, Note, PageHead } from '../frame/parts.js';
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
  const end = ({ id }: Session) => {
    void action.run(async () => {
      await graph.mutate('endSession', { id });
      setNote(text.ended);
      query.reload();
    });
  };
  const endOthers = async () => {
    const { endOtherSessions } = await graph.mutate('endOtherSessions', {});
    const count = endOtherSessions ?? 0;
    setNote(plural(count, text.endedOthers));
  };
  return (
    <>
      <PageHead
        title={text.title}
        lead={text.lead}
        acts={
          <DialogButton act={text.endOthers} onDone={query.reload}>
            {(ending) => (
              <Ask title={text.endOthers} act={text.endOthers} run={endOthers} {...ending}>
                <p>{text.endOthersText}</p>
              </Ask>
            )}
          </DialogButton>
        }
      />
      <Note>{note}</Note>
      <FailureNotice failure={action.failure} />
      <Loaded query={query}>{({ sessions }) => <List sessions={sessions} isBusy={action.isBusy} onEnd={end} />}</Loaded>
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
