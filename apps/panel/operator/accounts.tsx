import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../design/controls/button.js';
import { TextInput } from '../../design/controls/fields.js';
import { useParameter } from '../frame/address.js';
import { Form, Loaded, Note, PageHead, textOf } from '../frame/parts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { ManagedAccount } from './managed-account.js';
import { operatorTexts } from './texts.js';

/** Finds an account by its e-mail or by a key, and shows its state, its keys and their limits before anything is done to it. The search is in the address. */
export function Accounts() {
  const { accounts: text } = operatorTexts.get();
  const wished = useParameter('conta');
  const find = typeof wished === 'string' ? wished : '';
  const action = useAction();
  const navigate = useNavigate();
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <Form
        key={find}
        action={action}
        fields={['conta']}
        label={text.search}
        onSubmit={(values) => {
          const wanted = textOf(values, 'conta').trim();
          void navigate({ to: '/operacao/contas', search: wanted === '' ? {} : { conta: wanted }, resetScroll: false });
        }}
      >
        <div className="filter">
          <TextInput
            name="conta"
            label={text.find}
            hint={text.findHint}
            defaultValue={find}
            maxLength={254}
            autoComplete="off"
            isRequired
          />
          <Button kind="main" type="submit">
            {text.search}
          </Button>
        </div>
      </Form>
      {find === '' ? null : <Found key={`found ${find}`} find={find} />}
    </>
  );
}

function Found({ find }: { readonly find: string }) {
  const { accounts: text } = operatorTexts.get();
  const query = useQuery(graph, 'managedAccounts', { find });
  const [note, setNote] = useState('');
  return (
    <>
      <Note>{note}</Note>
      <Loaded query={query}>
        {({ managedAccounts }) =>
          managedAccounts.length === 0 ? (
            <p className="empty">{text.empty}</p>
          ) : (
            managedAccounts.map((account) => (
              <ManagedAccount
                key={account.id}
                account={account}
                onDone={(said) => {
                  setNote(said);
                  query.reload();
                }}
              />
            ))
          )
        }
      </Loaded>
    </>
  );
}
