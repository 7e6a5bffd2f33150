import { useRef, useState } from 'react';
import { Button } from '../../design/controls/button.js';
import { ConfirmDialog } from '../../design/controls/dialog.js';
import { FailureNotice, Loaded, PageHead } from '../frame/parts.js';
import { useSession } from '../frame/session.js';
import { frameTexts } from '../frame/texts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { ReasonDialog } from './reason-dialog.js';
import { operatorTexts } from './texts.js';
import { useRefresh } from './use-refresh.js';
import { queueRows, type Asked } from './work-domains.js';
import { Jobs } from './work-jobs.js';
import { Items, Queues } from './work-queues.js';

/** The background work: queues by state, items that fail, and jobs. It is read again while somebody watches. */
export function Work() {
  const { work: text } = operatorTexts.get();
  const query = useQuery(graph, 'backgroundWork', {});
  const scopes = useSession()?.scopes ?? [];
  const [asked, setAsked] = useState<Asked>();
  const [note, setNote] = useState('');
  useRefresh(query.reload);
  const parts = { may: (role: string) => scopes.includes(role), ask: setAsked };
  return (
    <>
      <PageHead
        title={text.title}
        lead={text.lead}
        acts={
          <Button isBusy={query.isLoading} onPress={query.reload}>
            {text.refresh}
          </Button>
        }
      />
      <p role="status" className="note">
        {note}
      </p>
      <Loaded query={query}>
        {(data) => (
          <>
            <Queues rows={queueRows(data)} {...parts} />
            <Items rows={queueRows(data)} {...parts} />
            <Jobs rows={data.scheduledJobs} {...parts} />
          </>
        )}
      </Loaded>
      {asked === undefined ? null : (
        <ActDialog
          asked={asked}
          onClose={() => {
            setAsked(undefined);
          }}
          onDone={(said) => {
            setAsked(undefined);
            setNote(said);
            query.reload();
          }}
        />
      )}
    </>
  );
}

function ActDialog(props: {
  readonly asked: Asked;
  readonly onClose: () => void;
  readonly onDone: (said: string) => void;
}) {
  const { asked, onClose, onDone } = props;
  const action = useAction();
  const said = useRef('');
  const { title, act, text } = asked;
  const run = async (reason: string) => {
    said.current = await asked.run(reason);
  };
  if (asked.needsReason === true)
    return (
      <ReasonDialog
        title={title}
        act={act}
        onClose={onClose}
        run={run}
        onDone={() => {
          onDone(said.current);
        }}
      >
        <p>{text}</p>
      </ReasonDialog>
    );
  return (
    <ConfirmDialog
      title={title}
      isOpen
      onClose={onClose}
      act={act}
      cancel={frameTexts.get().cancel}
      isBusy={action.isBusy}
      problem={<FailureNotice failure={action.failure} />}
      onConfirm={() => {
        void action.run(async () => {
          onDone(await asked.run(''));
        });
      }}
    >
      {text}
    </ConfirmDialog>
  );
}
