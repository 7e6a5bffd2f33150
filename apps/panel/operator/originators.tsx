import { Link, useRouter } from '@tanstack/react-router';
import { Badge } from '../../design/basics.js';
import { TextInput } from '../../design/controls/fields.js';
import { Table } from '../../design/table.js';
import { ActDialog, DialogButton } from '../frame/ask.js';
import { date, decimal } from '../frame/language.js';
import { Loaded, PageHead, textOf } from '../frame/parts.js';
import { useSession } from '../frame/session.js';
import { useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { PartyFields, partyOf } from './party-fields.js';
import { operatorTexts } from './texts.js';

/** The clients that assign credits. */
export function Originators() {
  const { originators: text, onboarding } = operatorTexts.get();
  const query = useQuery(graph, 'allOriginators', {});
  const mayAct = useSession()?.scopes.includes('originate') === true;
  return (
    <>
      <PageHead
        title={text.title}
        lead={text.lead}
        acts={
          mayAct ? (
            <DialogButton kind="main" act={onboarding.add}>
              {({ onClose }) => <AddOriginator onClose={onClose} />}
            </DialogButton>
          ) : undefined
        }
      />
      <Loaded query={query}>
        {({ originators }) => (
          <Table
            caption={text.title}
            rows={originators}
            keyOf={({ id }) => id}
            empty={text.empty}
            columns={[
              {
                label: onboarding.name,
                kind: 'wide',
                cell: ({ id, name }) => (
                  <Link to="/operacao/originadores/$id" params={{ id }}>
                    {name}
                  </Link>
                ),
              },
              {
                label: text.status,
                kind: 'nowrap',
                cell: ({ status }) => <Badge tone={status === 'ACTIVE' ? 'good' : 'bad'}>{text.states[status]}</Badge>,
              },
              {
                label: onboarding.liveKeys,
                kind: 'number',
                cell: ({ keys }) => decimal(keys.filter(({ revokedAt }) => revokedAt === null).length),
              },
              { label: text.sending, kind: 'nowrap', cell: (one) => (one.accountMaySend ? text.yes : text.no) },
              {
                label: text.permits,
                cell: ({ permits }) => permits.map(({ patrimony }) => patrimony?.ticker ?? '—').join(', ') || text.none,
              },
              { label: text.created, kind: 'nowrap', cell: ({ createdAt }) => date(createdAt) },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

/** Onboards a client, and goes to its page, where its permits follow. */
function AddOriginator({ onClose }: { readonly onClose: () => void }) {
  const { onboarding: text } = operatorTexts.get();
  const router = useRouter();
  return (
    <ActDialog
      title={text.add}
      act={text.add}
      fields={['name', 'publicKey', 'rateLimit', 'accountId']}
      onClose={onClose}
      run={async (values) => {
        const { addOriginator: added } = await graph.mutate('addOriginator', {
          ...partyOf(values),
          publicKey: textOf(values, 'publicKey').trim(),
        });
        if (added !== null) await router.navigate({ to: '/operacao/originadores/$id', params: { id: added.id } });
      }}
      onDone={onClose}
    >
      <p>{text.addText}</p>
      <PartyFields text={text} accountHint={text.accountHint}>
        <PublicKeyInput />
      </PartyFields>
    </ActDialog>
  );
}

/** A public key of a client. */
export function PublicKeyInput() {
  const { onboarding: text } = operatorTexts.get();
  return (
    <TextInput
      name="publicKey"
      label={text.publicKey}
      hint={text.publicKeyHint}
      rows={5}
      maxLength={16_384}
      autoComplete="off"
      isRequired
    />
  );
}
