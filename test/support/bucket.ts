// An S3-compatible server with one bucket, in this process.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import type { S3Settings } from '../../src/platform/files/s3'

export interface Bucket {
  settings: Omit<S3Settings, 'prefix'>
  stop(): Promise<void>
}

export async function startBucket(): Promise<Bucket> {
  const directory = await mkdtemp(join(tmpdir(), 'waxwing-bucket-'))
  const bucket = 'images'
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  const { port } = await server.run()
  return {
    // The only pair that it knows.
    settings: {
      bucket,
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
    },
    async stop() {
      await server.close()
      await rm(directory, { recursive: true })
    },
  }
}
