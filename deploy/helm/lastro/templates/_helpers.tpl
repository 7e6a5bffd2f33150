{{/* The parts of the program as JSON: each with its name, its ROLE and its values over the defaults. */}}
{{- define "lastro.parts" -}}
{{- if not (has .Values.topology (list "whole" "split")) }}{{ fail "topology must be whole or split" }}{{ end }}
{{- $names := eq .Values.topology "whole" | ternary (list "all") (concat (list "gateway" "worker") .Values.subgraphs) }}
{{- $parts := list }}
{{- range $name := $names }}
{{- $isSubgraph := has $name $.Values.subgraphs }}
{{- $own := mergeOverwrite (deepCopy $.Values.defaults) (deepCopy (get $.Values.parts $name | default dict)) }}
{{- $role := $isSubgraph | ternary (printf "subgraph:%s" $name) $name }}
{{- $parts = append $parts (dict "name" $name "role" $role "isSubgraph" $isSubgraph "own" $own) }}
{{- end }}
{{- toJson (dict "parts" $parts) }}
{{- end }}

{{- define "lastro.labels" -}}
app.kubernetes.io/name: lastro
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* Labels that select the pods of a part: (list context name). They never change. */}}
{{- define "lastro.selector" -}}
app.kubernetes.io/name: lastro
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "lastro.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* The environment of a process: (list context role own values). */}}
{{- define "lastro.env" -}}
{{- $ := index . 0 }}{{ $role := index . 1 }}{{ $own := index . 2 -}}
- name: ROLE
  value: {{ $role | quote }}
- name: PUBLIC_URL
  value: {{ required "publicUrl is required: the address that links and redirects begin with" $.Values.publicUrl | quote }}
{{- range $key := $.Values.secret.keys }}
- name: {{ $key }}
  valueFrom:
    secretKeyRef: { name: {{ $.Values.secret.name }}, key: {{ $key }} }
{{- end }}
{{- if eq $role "gateway" }}
{{- $urls := list }}
{{- range $.Values.subgraphs }}{{ $urls = append $urls (printf "%s=http://%s-%s:4000/graphql" . $.Release.Name .) }}{{ end }}
- name: SUBGRAPH_URLS
  value: {{ join "," $urls | quote }}
{{- end }}
{{- with $.Values.tracing.endpoint }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ . | quote }}
- name: OTEL_TRACES_SAMPLER
  value: parentbased_traceidratio
- name: OTEL_TRACES_SAMPLER_ARG
  value: {{ $.Values.tracing.share | quote }}
{{- end }}
{{- range $name, $value := merge (dict) ($own.env | default dict) $.Values.config }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{/* The seconds that a pod of a part gets to end: 5 s of preStop, DRAIN_SECONDS, 10 s in which the program stops, and 10 s to spare: (list context own). */}}
{{- define "lastro.graceSeconds" -}}
{{- $config := merge (dict) ((index . 1).env | default dict) (index . 0).Values.config }}
{{- add 25 (int (get $config "DRAIN_SECONDS" | default 0)) }}
{{- end }}

{{- define "lastro.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "lastro.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* The ports of one of networkPolicy.database and networkPolicy.redis as JSON: (list context name). */}}
{{- define "lastro.ports" -}}
{{- $one := get (index . 0).Values.networkPolicy (index . 1) }}
{{- $ports := list }}
{{- range $one.ports }}{{ $ports = append $ports (dict "port" (int .) "protocol" "TCP") }}{{ end }}
{{- toJson $ports }}
{{- end }}

{{/* What every pod may reach: name service, PostgreSQL, Redis and the receiver of traces. */}}
{{- define "lastro.egress" -}}
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
- ports: {{ include "lastro.ports" (list . "database") }}
  {{- with .Values.networkPolicy.database.to }}
  to: {{ toYaml . | nindent 4 }}
  {{- end }}
{{- if has "REDIS_URL" .Values.secret.keys }}
- ports: {{ include "lastro.ports" (list . "redis") }}
  {{- with .Values.networkPolicy.redis.to }}
  to: {{ toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- if .Values.tracing.endpoint }}
- ports: [{ port: {{ .Values.networkPolicy.tracing.port | int }}, protocol: TCP }]
  {{- with .Values.networkPolicy.tracing.to }}
  to: {{ toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}
