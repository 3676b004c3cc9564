{{/* The chart's own part of the CloudNativePG Cluster. */}}
{{- define "weir.cnpgDefaults" -}}
{{- $cnpg := .Values.postgresql.cnpg -}}
{{- $services := include "weir.databaseServices" . | fromYamlArray -}}
instances: {{ $cnpg.instances }}
storage:
  size: {{ $cnpg.storageSize }}
  {{- with $cnpg.storageClass }}
  storageClass: {{ . }}
  {{- end }}
postgresql:
  parameters: { max_connections: {{ .Values.postgresql.maxConnections | quote }} }
  {{- if gt (int $cnpg.instances) 1 }}
  # Confirmed changes are on two machines.
  synchronous: { method: any, number: 1, dataDurability: required }
  {{- end }}
{{- with $cnpg.imageName }}
imageName: {{ . }}
{{- end }}
{{- with $cnpg.resources }}
resources: {{ toYaml . | nindent 4 }}
{{- end }}
{{- with $cnpg.backup }}
backup: {{ toYaml . | nindent 4 }}
{{- end }}
monitoring: { enablePodMonitor: {{ $cnpg.podMonitor }} }
bootstrap:
  initdb:
    database: weir
    owner: weir
    # Each service sees only its own schema. Passwords come from the Secrets below.
    postInitApplicationSQL:
      - REVOKE ALL ON DATABASE weir FROM PUBLIC
      - REVOKE ALL ON SCHEMA public FROM PUBLIC
      {{- range $services }}
      - CREATE ROLE weir_{{ . }} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE
      - GRANT CONNECT, TEMPORARY ON DATABASE weir TO weir_{{ . }}
      - CREATE SCHEMA {{ . }} AUTHORIZATION weir_{{ . }}
      # A pooler passes on no settings of its clients.
      - ALTER ROLE weir_{{ . }} SET search_path = {{ . }}
      - ALTER ROLE weir_{{ . }} SET statement_timeout = '15s'
      - ALTER ROLE weir_{{ . }} SET idle_in_transaction_session_timeout = '15s'
      {{- end }}
managed:
  roles:
    {{- range $services }}
    - name: weir_{{ . }}
      ensure: present
      login: true
      passwordSecret: { name: {{ required (printf "postgresql.cnpg.roleSecrets.%s: the Secret (kubernetes.io/basic-auth) of role weir_%s" . .) (get $cnpg.roleSecrets .) }} }
    {{- end }}
affinity: { enablePodAntiAffinity: true, topologyKey: kubernetes.io/hostname }
{{- end -}}

{{/*
The Cluster with what `postgresql.cnpg.spec` says over it. A cluster that begins from a backup or another cluster has the roles and schemas
of that one, so nothing is created in it.
*/}}
{{- define "weir.cnpgCluster" -}}
{{- $own := deepCopy .Values.postgresql.cnpg.spec -}}
{{- $cluster := include "weir.cnpgDefaults" . | fromYaml -}}
{{- range $method := list "recovery" "pg_basebackup" -}}
{{- if hasKey (default dict $own.bootstrap) $method -}}
{{- $_ := set $cluster "bootstrap" (dict $method (dict "database" "weir" "owner" "weir")) -}}
{{- end -}}
{{- end -}}
{{ mergeOverwrite $cluster $own | toYaml }}
{{- end -}}
