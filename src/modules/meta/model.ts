// What the instance says about itself: features, health.
import { type Static, Type } from '@sinclair/typebox'

const nullableText = Type.Union([Type.String(), Type.Null()])
const port = Type.Union([Type.Integer(), Type.Null()])
const enabled = Type.Object({ enabled: Type.Boolean() })

export const configAnswer = Type.Object(
  {
    environment: Type.String(),
    urls: Type.Object({
      api: Type.String(),
      dashboard: Type.String(),
      landing: Type.String(),
      wiki: nullableText,
    }),
    features: Type.Object({
      billing: enabled,
      storage: Type.Object({ s3Enabled: Type.Boolean() }),
      authProviders: Type.Object({
        github: Type.Boolean(),
        google: Type.Boolean(),
        oidc: Type.Optional(
          Type.Object(
            { label: Type.String() },
            {
              description:
                'A provider of OpenID Connect, and what its button says; absent where there is none',
            },
          ),
        ),
      }),
      signup: Type.Object({
        signupsDisabled: Type.Boolean({ description: 'Whoever is not invited is refused' }),
        isFirstAccount: Type.Boolean({ description: 'There is no account yet' }),
        needsSetupToken: Type.Boolean({ description: 'The first account needs the setup token' }),
      }),
      email: Type.Object({
        trackingToggleEnabled: Type.Boolean(),
        outbox: Type.Boolean({ description: 'Mail is kept on the machine and does not leave it' }),
      }),
      smtp: Type.Object(
        {
          enabled: Type.Boolean(),
          domain: nullableText,
          ports: Type.Union([Type.Object({ secure: port, submission: port }), Type.Null()]),
        },
        { description: 'Where programs submit mail by SMTP: TLS from the first byte, and STARTTLS' },
      ),
    }),
    aws: Type.Object({ sesRegion: nullableText, mailFromSubdomain: nullableText }),
  },
  { title: 'InstanceConfig' },
)

const band = Type.Object({ waiting: Type.Integer(), oldestSeconds: Type.Number() })

export const healthAnswer = Type.Object(
  {
    status: Type.Union([Type.Literal('ok'), Type.Literal('error')]),
    version: Type.String(),
    database: Type.Union([Type.Literal('ok'), Type.Literal('failed')]),
    jobs: Type.Union([
      Type.Object({
        running: Type.Integer(),
        bands: Type.Object({ transactional: band, system: band, workflow: band, bulk: band }),
      }),
      Type.Literal('failed'),
    ]),
    /** Paused after a restore or a copy, until `waxwing resume`. */
    sending: Type.Object({
      paused: Type.Boolean(),
      because: Type.Optional(Type.String()),
      since: Type.Optional(Type.String({ format: 'date-time' })),
    }),
    transports: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), working: Type.Boolean() }), {
        description: 'Where there are several: whether this process has found each of them working',
      }),
    ),
    warnings: Type.Array(Type.String(), {
      description:
        'What needs attention: settings that keep mail from doing its job, missing months of a split table; the instance is healthy all the same',
    }),
  },
  { title: 'InstanceHealth' },
)

export type ConfigAnswer = Static<typeof configAnswer>
export type HealthAnswer = Static<typeof healthAnswer>
