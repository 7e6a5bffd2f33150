import { Link, useRouter } from '@tanstack/react-router';
import { Badge, Table } from '../../design/basics.js';
import { TextInput } from '../../design/controls/controls.js';
import { ActButton } from '../frame/ask.js';
import { date, decimal } from '../frame/language.js';
import { Loaded, PageHead, textOf } from '../frame/parts.js';
import { useSession } from '../frame/session.js';
import { useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { PartyFields, partyOf } from './party-fields.js';
import { operatorTexts } from '../texts.js';

export function Originators() {
  const { originators: text, onboarding, words } = operatorTexts.get();
  const query = useQuery(graph, 'allOriginators', {});
  const mayAct = useSession()?.scopes.includes('originate') === true;
  return (
    <>
      <PageHead title={text.title} lead={text.lead} acts={mayAct ? <AddOriginator /> : undefined} />
      <Loaded query={query}>
        {({ originators }) => (
          <Table
            caption={text.title}
            rows={originators}
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
                label: words.status,
                kind: 'nowrap',
                cell: ({ status }) => <Badge tone={status === 'ACTIVE' ? 'good' : 'bad'}>{text.states[status]}</Badge>,
              },
              {
                label: words.validKeys,
                kind: 'number',
                cell: ({ keys }) => decimal(keys.filter(({ revokedAt }) => revokedAt === null).length),
              },
              {
                label: words.sending,
                kind: 'nowrap',
                cell: (one) => (one.accountMaySend ? words.permitted : words.notPermitted),
              },
              {
                label: words.permits,
                cell: ({ permits }) => permits.map(({ patrimony }) => patrimony?.ticker ?? '—').join(', ') || text.none,
              },
              { label: words.since, kind: 'nowrap', cell: ({ createdAt }) => date(createdAt) },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

function AddOriginator() {
  const { onboarding: text } = operatorTexts.get();
  const router = useRouter();
  return (
    <ActButton
      button="main"
      act={text.add}
      fields={['name', 'publicKey', 'rateLimit', 'accountId']}
      text={text.addText}
      run={async (values) => {
        const { addOriginator: added } = await graph.mutate('addOriginator', {
          ...partyOf(values),
          publicKey: textOf(values, 'publicKey').trim(),
        });
        if (added !== null) await router.navigate({ to: '/operacao/originadores/$id', params: { id: added.id } });
      }}
    >
      <PartyFields text={text} accountHint={text.accountHint}>
        <PublicKeyInput />
      </PartyFields>
    </ActButton>
  );
}

export function PublicKeyInput() {
  const { onboarding: text, words } = operatorTexts.get();
  return (
    <TextInput
      name="publicKey"
      label={words.publicKey}
      hint={text.publicKeyHint}
      rows={5}
      maxLength={16_384}
      autoComplete="off"
      isRequired
    />
  );
}
