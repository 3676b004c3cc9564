{{/* The queries of a panel: its own, or p50 and p99 of its histogram. */}}
{{- define "weir.panelTargets" -}}
{{- if .quantiles -}}
{{- range $name, $quantile := dict "p50" 0.5 "p99" 0.99 }}
- refId: {{ $name }}
  expr: {{ printf "histogram_quantile(%v, sum by (le) (rate(%s[5m])))" $quantile $.quantiles | quote }}
  legendFormat: {{ $name }}
{{- end }}
{{- else }}
- refId: A
  expr: {{ .query | quote }}
  legendFormat: __auto
{{- end }}
{{- end -}}

{{/* One dashboard of files/dashboards.yaml as Grafana reads it, with the labels of its variables in every query. */}}
{{- define "weir.dashboard" -}}
{{- $source := dict "type" "prometheus" "uid" "${datasource}" -}}
title: Weir / {{ .title }}
uid: weir-{{ .name }}
tags: [weir]
schemaVersion: 39
timezone: utc
refresh: 30s
time: { from: now-3h, to: now }
links:
  - { type: dashboards, title: Weir, tags: [weir], asDropdown: true, includeVars: true, keepTime: true }
templating:
  list:
    - { name: datasource, label: Data source, type: datasource, query: prometheus }
    - name: namespace
      label: Namespace
      type: query
      datasource: {{ toJson $source }}
      query: label_values(weir_clock_seconds, namespace)
      refresh: 2
    - name: release
      label: Release
      type: query
      datasource: {{ toJson $source }}
      query: label_values(weir_clock_seconds{namespace="$namespace"}, job)
      refresh: 2
panels:
{{- range $index, $panel := .panels }}
  - id: {{ add1 $index }}
    type: timeseries
    title: {{ $panel.title | quote }}
    datasource: {{ toJson $source }}
    gridPos: { x: {{ mul (mod $index 2) 12 }}, "y": {{ mul (div $index 2) 8 }}, w: 12, h: 8 }
    fieldConfig: { defaults: { unit: {{ $panel.unit }}, min: 0 }, overrides: [] }
    options: { tooltip: { mode: multi, sort: desc }, legend: { displayMode: list, placement: bottom } }
    targets: {{ include "weir.panelTargets" $panel | replace "$scope" `namespace=\"$namespace\",job=\"$release\"` | nindent 6 }}
{{- end }}
{{- end -}}
