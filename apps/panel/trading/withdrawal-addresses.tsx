import { useState } from 'react';
import { Button } from '../../design/controls/button.js';
import { SelectInput, TextInput } from '../../design/controls/fields.js';
import { Table } from '../../design/table.js';
import { Ask, DialogButton } from '../frame/ask.js';
import { moment, wordOf } from '../frame/language.js';
import { Form, Loaded, textOf } from '../frame/parts.js';
import { useAction, type Query } from '../frame/use-graph.js';
import { graph, type Recipients } from './graph.js';
import { tradingTexts } from './texts.js';

/** The recipients that the company has saved; the only ones that it may withdraw to where an operator has asked for that. */
export function WithdrawalAddresses(props: {
  readonly synthetic: boolean;
  readonly networks: readonly string[];
  readonly query: Query<Recipients>;
}) {
  const { synthetic, networks, query } = props;
  const { orders, transfers: text } = tradingTexts.get();
  return (
    <Loaded query={query}>
      {({ withdrawalAddresses }) => (
        <>
          <p className="muted">{text.listLead}</p>
          <Table
            caption={text.list}
            rows={withdrawalAddresses}
            keyOf={({ id }) => id}
            empty={text.noList}
            columns={[
              { label: text.label, kind: 'wide', cell: ({ label }) => label },
              { label: text.address, kind: 'wide', cell: (row) => <AddressOnNetwork {...row} /> },
              { label: text.usableAt, kind: 'nowrap', cell: ({ usableAt }) => moment(usableAt) },
              {
                label: orders.acts,
                cell: (row) => (
                  <DialogButton label={`${text.remove} ${row.label}`} act={text.remove} onDone={query.reload}>
                    {(ending) => (
                      <Ask
                        title={text.removeTitle}
                        act={text.remove}
                        run={() => graph.mutate('removeWithdrawalAddress', { synthetic, id: row.id })}
                        {...ending}
                      >
                        <p>{text.removeText(row.label)}</p>
                      </Ask>
                    )}
                  </DialogButton>
                ),
              },
            ]}
          />
          <AddAddress synthetic={synthetic} networks={networks} onAdded={query.reload} />
        </>
      )}
    </Loaded>
  );
}

export function AddressOnNetwork({ address, network }: { readonly address: string; readonly network: string }) {
  return (
    <>
      <code>{address}</code>
      <span className="sub">{wordOf(tradingTexts.get().transfers.networks, network)}</span>
    </>
  );
}

function AddAddress(props: {
  readonly synthetic: boolean;
  readonly networks: readonly string[];
  readonly onAdded: () => void;
}) {
  const { synthetic, networks, onAdded } = props;
  const { transfers: text } = tradingTexts.get();
  const action = useAction();
  const [network, setNetwork] = useState(networks[0] ?? '');
  const [turn, setTurn] = useState(0);
  return (
    <Form
      key={turn}
      action={action}
      fields={['network', 'address', 'label']}
      label={text.addAddress}
      onSubmit={(values) => {
        const address = textOf(values, 'address').trim();
        const label = textOf(values, 'label').trim();
        void action
          .run(() => graph.mutate('addWithdrawalAddress', { synthetic, network, address, label }))
          .then((added) => {
            if (!added) return;
            setTurn(turn + 1);
            onAdded();
          });
      }}
    >
      <div className="filter">
        <SelectInput
          name="network"
          label={text.network}
          value={network}
          onChange={setNetwork}
          options={networks.map((value) => ({ value, text: wordOf(text.networks, value) }))}
        />
        <TextInput name="address" label={text.address} autoComplete="off" maxLength={200} isRequired />
        <TextInput name="label" label={text.label} autoComplete="off" maxLength={100} isRequired />
        <Button type="submit" isBusy={action.isBusy}>
          {text.addAddress}
        </Button>
      </div>
    </Form>
  );
}
