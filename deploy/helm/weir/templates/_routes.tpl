{{/* Path prefixes of the data plane: intake, requests of pages and SDKs, and area D. */}}
{{- define "weir.dataPrefixes" -}}
[/v1, /pixel, /beacon, /sourceConfig, /schemas]
{{- end -}}

{{- define "weir.dataPaths" -}}
{{- range include "weir.dataPrefixes" . | fromYamlArray }}
- { path: {{ . }}, pathType: Prefix, backend: { service: { name: {{ include "weir.fullname" $.root }}-{{ $.service }}, port: { name: http } } } }
{{- end }}
{{- end -}}
