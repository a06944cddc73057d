// Projects at a glance, for clients that hold a key and for people who are signed in.
import { Elysia } from 'elysia'
import type { Context } from '../../../../platform/context'
import { anyCaller, ownProject } from '../guard'
import { idParams, overviewAnswer, overviewsAnswer, setupAnswer, toOverview, toSetup } from '../model'
import { describeProject, describeProjects, describeSetup } from '../service'

export function overviewRoutes(ctx: Context) {
  return new Elysia({ prefix: '/projects', tags: ['Projects'] }).use(allRoutes(ctx)).use(ownRoutes(ctx))
}

function allRoutes(ctx: Context) {
  return new Elysia({ tags: ['Projects'], detail: { addition: true } })
    .use(anyCaller(ctx))
    .get(
      '',
      async ({ caller }) =>
        'access' in caller
          ? toOverview(await describeProject(ctx, caller.access.project.id))
          : (await describeProjects(ctx, caller.user.id)).map(toOverview),
      {
        scope: 'read',
        response: overviewsAnswer,
        detail: {
          summary: 'The project of the key, or all projects of the signed-in user',
          description:
            'Id, name, time zone, and the domain that it sends from, for a client that lets people choose. Keys are in `GET /users/@me/projects`.',
        },
      },
    )
}

function ownRoutes(ctx: Context) {
  return new Elysia({ tags: ['Projects'] })
    .use(ownProject(ctx))
    .get('/:id', async ({ access }) => toOverview(await describeProject(ctx, access.project.id)), {
      scope: 'read',
      params: idParams,
      response: overviewAnswer,
      detail: {
        summary: 'A project at a glance',
        description:
          'Id, name, time zone, and the domain that it sends from. Settings and keys are in `GET /users/@me/projects`.',
        addition: true,
      },
    })
    .get('/:id/setup-state', async ({ access }) => toSetup(await describeSetup(ctx, access.project.id)), {
      scope: 'read',
      params: idParams,
      response: setupAnswer,
      detail: {
        summary: 'What the project has set up so far',
        description:
          'What a client needs for a list of first steps: whether there is a verified domain, a contact, a campaign, a workflow, a subscription.',
      },
    })
}
