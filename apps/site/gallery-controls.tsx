import { Section } from '../design/basics.js';

/** The controls of the panel in each state, as the markup that `apps/design/controls/` makes in a browser. They do nothing here. */
export function Controls() {
  return (
    <>
      <Buttons />
      <Fields />
      <Section id="secret" title="Secret">
        <div className="field">
          <span>API key</span>
          <div className="secret">
            <code>lk_example_0123456789</code>
            <button type="button" className="button plain" aria-label="Copy: API key">
              Copy
            </button>
          </div>
          <span role="status" className="small muted">
            Copied.
          </span>
        </div>
      </Section>
      <Section id="dialog" title="Dialog">
        <div className="modal">
          <section className="dialog" role="dialog" aria-labelledby="dialog-example">
            <h3 id="dialog-example">Revoke the key</h3>
            <p>Programs that use it are refused from then on.</p>
            <div className="acts">
              <button type="button" className="button plain">
                Cancel
              </button>
              <button type="button" className="button danger">
                Revoke
              </button>
            </div>
          </section>
        </div>
      </Section>
      <Section id="banner" title="Banner and notices">
        <div className="banner" role="status">
          The server does not respond.{' '}
          <button type="button" className="button plain">
            Try now
          </button>
        </div>
        <p className="notice good">Something was done.</p>
      </Section>
    </>
  );
}

function Buttons() {
  return (
    <Section id="buttons" title="Buttons">
      {(['main', 'plain', 'danger'] as const).map((kind) => (
        <div key={kind} className="row">
          <button type="button" className={`button ${kind}`}>
            {kind}
          </button>
          <button type="button" className={`button ${kind} busy`} aria-disabled="true">
            {`${kind}, busy`}
          </button>
          <button type="button" className={`button ${kind}`} data-disabled="true" disabled>
            {`${kind}, disabled`}
          </button>
        </div>
      ))}
      <p>
        <button type="button" className="link">
          A button that looks like a link
        </button>
      </p>
    </Section>
  );
}

function Fields() {
  return (
    <Section id="fields" title="Fields">
      <div className="columns short">
        <div className="field">
          <label htmlFor="field-plain">Name</label>
          <input id="field-plain" type="text" defaultValue="Production" aria-describedby="field-plain-hint" />
          <span id="field-plain-hint" slot="description">
            A hint.
          </span>
        </div>
        <div className="field">
          <label htmlFor="field-invalid">Address</label>
          <input
            id="field-invalid"
            type="url"
            defaultValue="http://"
            data-invalid="true"
            aria-invalid="true"
            aria-describedby="field-invalid-error"
          />
          <span id="field-invalid-error" className="react-aria-FieldError" slot="errorMessage">
            It is not an address of the web.
          </span>
        </div>
        <div className="field">
          <label htmlFor="field-select">Frequency</label>
          <select id="field-select" defaultValue="DAILY">
            <option value="DAILY">Each day</option>
            <option value="WEEKLY">Each week</option>
          </select>
        </div>
        <div className="field">
          <label htmlFor="field-area">Reason</label>
          <textarea id="field-area" rows={3} defaultValue="Typed wrongly" />
        </div>
        <div className="field" role="group" aria-labelledby="field-checks">
          <span id="field-checks">Scopes</span>
          <div className="checks">
            {['Read', 'Write'].map((scope) => (
              <div key={scope} className="check" {...(scope === 'Read' ? { 'data-selected': 'true' } : {})}>
                <svg className="tick" viewBox="0 0 16 16" aria-hidden="true">
                  <path d="M3 8.5l3 3 7-7.5" />
                </svg>
                {scope}
              </div>
            ))}
          </div>
        </div>
      </div>
    </Section>
  );
}
