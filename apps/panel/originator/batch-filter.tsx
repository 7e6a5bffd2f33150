import { useState } from 'react';
import { Button } from '../../design/controls/button.js';
import { SelectInput, TextInput } from '../../design/controls/fields.js';
import { Form, textOf } from '../frame/parts.js';
import { useAction } from '../frame/use-graph.js';
import { batchParameters, batchStates, type BatchParameters } from './batch-state.js';
import { originatorTexts } from './texts.js';

/** Filters a list of batches by status and days of creation. */
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
      fields={['from', 'to']}
      label={text.filter}
      onSubmit={(values) => {
        onFilter(batchParameters({ status, from: textOf(values, 'from'), to: textOf(values, 'to') }));
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
export function filterOf({ status, from, to }: BatchParameters) {
  return { status: status ?? null, from: from ?? null, to: to ?? null };
}
