import { useState } from 'react';
import { Button } from '../../design/controls/button.js';
import { SelectInput, TextInput } from '../../design/controls/fields.js';
import { Form, textOf } from '../frame/parts.js';
import { useAction } from '../frame/use-graph.js';
import { batchParameters, batchStates, type BatchParameters } from './batch-state.js';
import { originatorTexts } from './texts.js';

/** Filters a list of batches by status, number and days of creation. */
export function BatchFilter(props: {
  readonly parameters: BatchParameters;
  readonly onFilter: (parameters: BatchParameters) => void;
}) {
  const { parameters, onFilter } = props;
  const { batches: text } = originatorTexts.get();
  const action = useAction();
  const [status, setStatus] = useState<string>(parameters.status ?? '');
  return (
    <Form
      action={action}
      fields={['number', 'from', 'to']}
      label={text.filter}
      onSubmit={(values) => {
        const [number = '', from, to] = ['number', 'from', 'to'].map((name) => textOf(values, name));
        onFilter(batchParameters({ status, number: number.trim(), from, to }));
      }}
    >
      <div className="filter">
        <SelectInput
          name="status"
          label={text.status}
          value={status}
          onChange={setStatus}
          all={text.all}
          options={batchStates.map((value) => ({ value, text: text.states[value] }))}
        />
        <TextInput
          name="number"
          inputMode="numeric"
          label={text.number}
          defaultValue={String(parameters.number ?? '')}
          maxLength={9}
          autoComplete="off"
        />
        <TextInput name="from" type="date" label={text.from} defaultValue={parameters.from ?? ''} />
        <TextInput name="to" type="date" label={text.to} defaultValue={parameters.to ?? ''} />
        <Button kind="main" type="submit">
          {text.submitFilter}
        </Button>
      </div>
    </Form>
  );
}

/** Returns the filter of the graph. */
export function filterOf({ status, number, from, to }: BatchParameters) {
  return { status: status ?? null, number: number ?? null, from: from ?? null, to: to ?? null };
}
