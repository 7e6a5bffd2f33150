// Starts Scalar's reference in the page. It asks no other origin for anything: no fonts, no proxy, no telemetry, no agent.

// Zod, which is part of Scalar, would try to compile code, and the Content-Security-Policy would report it.
globalThis.__zod_globalConfig = { jitless: true };

const place = document.querySelector('#reference');
const { script, openApi, locale } = place.dataset;
await import(script);

globalThis.Scalar.createApiReference(place, {
  url: openApi,
  // The document names the public address; a trial goes to the site that the page was opened at.
  servers: [{ url: location.origin }],
  localization: { locale },
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  hideDarkModeToggle: true,
  hideModels: true,
  documentDownloadType: 'none',
  defaultOpenFirstTag: false,
  // The group of all webhooks has no method.
  generateWebhookSlug: ({ name, method }) => (method ? `${method}/${name.replaceAll('_', '-')}` : 'events'),
});
