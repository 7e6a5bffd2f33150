import { useState } from 'react';
import { Button } from '../../design/controls/button.js';
import { SelectInput, TextInput } from '../../design/controls/fields.js';
import { Form, textOf } from '../frame/parts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { receivableParameters, receivableStates, type ReceivableParameters } from './receivable-state.js';
import { originatorTexts } from './texts.js';

/** Filters the receivables by identifier, status, estate and due days. */
export function ReceivableFilter(props: {
  readonly parameters: ReceivableParameters;
  readonly onFilter: (parameters: ReceivableParameters) => void;
}) {
  const { parameters, onFilter } = props;
  const { batch, batches, receivables: text } = originatorTexts.get();
  const action = useAction();
  const originators = useQuery(graph, 'originators', {});
  const [status, setStatus] = useState<string>(parameters.status ?? '');
  const [estate, setEstate] = useState(parameters.patrimonio ?? '');
  const estates = new Map(
    (originators.data?.myOriginators ?? []).flatMap(({ permits }) =>
      permits.flatMap(({ patrimony }) => (patrimony === null ? [] : [[patrimony.id, patrimony.ticker] as const])),
    ),
  );
  return (
    <Form
      action={action}
      fields={['contrato', 'de', 'ate']}
      label={text.search}
      onSubmit={(values) => {
        const [contrato, de, ate] = ['contrato', 'de', 'ate'].map((name) => textOf(values, name).trim());
        onFilter(receivableParameters({ contrato, status, patrimonio: estate, de, ate }));
      }}
    >
      <div className="filter">
        <TextInput
          name="contrato"
          label={text.externalId}
          defaultValue={parameters.contrato ?? ''}
          maxLength={100}
          autoComplete="off"
        />
        <SelectInput
          name="status"
          label={batch.status}
          value={status}
          onChange={setStatus}
          options={[
            { value: '', text: batches.all },
            ...receivableStates.map((value) => ({ value, text: batch.receivableStates[value] })),
          ]}
        />
        <SelectInput
          name="patrimonio"
          label={batches.estate}
          value={estate}
          onChange={setEstate}
          options={[
            { value: '', text: batches.all },
            ...[...estates].map(([value, ticker]) => ({ value, text: ticker })),
          ]}
        />
        <TextInput name="de" type="date" label={text.dueFrom} defaultValue={parameters.de ?? ''} />
        <TextInput name="ate" type="date" label={text.dueTo} defaultValue={parameters.ate ?? ''} />
        <Button kind="main" type="submit">
          {text.submit}
        </Button>
      </div>
    </Form>
  );
}
