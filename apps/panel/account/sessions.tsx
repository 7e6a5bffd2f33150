import { Badge, noted, Table } from '../../design/basics.js';
import { Button } from '../../design/controls/controls.js';
import { ActButton } from '../frame/ask.js';
import { moment, plural } from '../frame/language.js';
import { FailureNotice, Loaded, Note, PageHead, useNote } from '../frame/parts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { graph } from './graph/operations.js';
import { accountTexts } from '../texts.js';
import { programOf } from './user-agent.js';

/** The sessions of the owner, at most 50. */
export function Sessions() {
  const { sessions: text, words } = accountTexts.get();
  const query = useQuery(graph, 'sessions', {});
  const action = useAction();
  const [note, done] = useNote(query.reload);
  const end = (id: string) => {
    void action.run(async () => {
      await graph.mutate('endSession', { id });
      done(text.ended);
    });
  };
  return (
    <>
      <PageHead
        title={text.title}
        lead={text.lead}
        acts={
          <ActButton
            act={text.endOthers}
            kind="danger"
            text={text.endOthersText}
            run={async () => {
              const { endOtherSessions } = await graph.mutate('endOtherSessions', {});
              done(plural(endOtherSessions ?? 0, text.endedOthers));
            }}
          />
        }
      />
      <Note>{note}</Note>
      <FailureNotice failure={action.failure} />
      <Loaded query={query}>
        {({ sessions }) => (
          <Table
            caption={text.title}
            rows={sessions}
            empty={text.empty}
            columns={[
              {
                label: text.program,
                kind: 'wide',
                cell: ({ userAgent, browser, current }) =>
                  noted(
                    <Program userAgent={userAgent} />,
                    <>
                      {browser ? text.browser : text.token} {current ? <Badge tone="good">{text.current}</Badge> : null}
                    </>,
                  ),
              },
              { label: words.network, kind: 'nowrap', cell: ({ network }) => <code>{network}</code> },
              { label: text.opened, kind: 'nowrap', cell: ({ createdAt }) => moment(createdAt) },
              { label: text.lastSeen, kind: 'nowrap', cell: ({ lastSeenAt }) => moment(lastSeenAt) },
              { label: words.expires, kind: 'nowrap', cell: ({ expiresAt }) => moment(expiresAt) },
              {
                label: words.acts,
                cell: ({ id, createdAt, current }) =>
                  current ? (
                    '—'
                  ) : (
                    <Button
                      label={`${text.end} ${moment(createdAt)}`}
                      isDisabled={action.isBusy}
                      onPress={() => end(id)}
                    >
                      {text.end}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

function Program({ userAgent }: { readonly userAgent: string | null }) {
  const { sessions: text } = accountTexts.get();
  if (userAgent === null) return text.unknown;
  const program = programOf(userAgent);
  return <span title={userAgent}>{program === undefined ? userAgent : `${program.browser}, ${program.system}`}</span>;
}
