import { useSearch } from '@tanstack/react-router';
import { TextInput } from '../../design/controls/controls.js';
import { AddressForm } from '../frame/address.js';
import { Empty } from '../../design/basics.js';
import { Loaded, Note, PageHead, useNote } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { ManagedAccount } from './managed-account.js';
import { accountParameters } from './parameters.js';
import { operatorTexts } from '../texts.js';

export function Accounts() {
  const { accounts: text } = operatorTexts.get();
  const { conta: find } = accountParameters(useSearch({ strict: false }));
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <AddressForm
        to="/operacao/contas"
        label={text.search}
        submit={text.search}
        fields={['conta']}
        read={accountParameters}
      >
        {({ conta = '' }) => (
          <TextInput
            name="conta"
            label={text.find}
            hint={text.findHint}
            defaultValue={conta}
            maxLength={254}
            autoComplete="off"
            isRequired
          />
        )}
      </AddressForm>
      {find === undefined ? null : <Found key={find} find={find} />}
    </>
  );
}

function Found({ find }: { readonly find: string }) {
  const { accounts: text } = operatorTexts.get();
  const query = useQuery(graph, 'managedAccounts', { find });
  const [note, done] = useNote(query.reload);
  return (
    <>
      <Note>{note}</Note>
      <Loaded query={query}>
        {({ managedAccounts }) =>
          managedAccounts.length === 0 ? (
            <Empty>{text.empty}</Empty>
          ) : (
            managedAccounts.map((account) => <ManagedAccount key={account.id} account={account} onDone={done} />)
          )
        }
      </Loaded>
    </>
  );
}
