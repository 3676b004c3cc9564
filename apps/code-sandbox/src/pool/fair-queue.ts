import { QUEUE_MAX, QUEUE_PER_WORKSPACE_MAX } from '../limits.js';

/** Waiting jobs, in one queue per workspace. Workspaces take turns, so a workspace with many jobs delays another by only one. */
export class FairQueue<Job extends { workspaceId: string }> {
  /** In the order of turns. Contains only workspaces with jobs. */
  private readonly queues = new Map<string, Job[]>();
  private count = 0;

  hasRoom(workspaceId: string): boolean {
    return this.count < QUEUE_MAX && (this.queues.get(workspaceId)?.length ?? 0) < QUEUE_PER_WORKSPACE_MAX;
  }

  waits(workspaceId: string | undefined): boolean {
    return workspaceId !== undefined && this.queues.has(workspaceId);
  }

  add(job: Job): void {
    const queue = this.queues.get(job.workspaceId);
    if (queue) queue.push(job);
    else this.queues.set(job.workspaceId, [job]);
    this.count += 1;
  }

  remove(job: Job): void {
    const queue = this.queues.get(job.workspaceId) ?? [];
    const at = queue.indexOf(job);
    if (at === -1) return;
    queue.splice(at, 1);
    this.count -= 1;
    if (queue.length === 0) this.queues.delete(job.workspaceId);
  }

  /** Takes the waiting jobs of a workspace that `accept` selects, in order. */
  take(workspaceId: string, accept: (job: Job) => boolean): Job[] {
    const taken = (this.queues.get(workspaceId) ?? []).filter(accept);
    for (const job of taken) this.remove(job);
    return taken;
  }

  /** Number of workspaces with waiting jobs. */
  get waiting(): number {
    return this.queues.size;
  }

  /**
   * Offers the first job of each workspace until nothing more is taken. A workspace that was served moves to the end. A job does not
   * wait while it is offered, so {@link take} cannot take it a second time.
   */
  serve(take: (job: Job) => boolean): void {
    let isServing = true;
    while (isServing) {
      isServing = false;
      for (const [workspaceId, queue] of [...this.queues]) {
        const job = queue.shift();
        if (!job) continue;
        if (!take(job)) {
          queue.unshift(job);
          continue;
        }
        isServing = true;
        this.count -= 1;
        this.queues.delete(workspaceId);
        if (queue.length > 0) this.queues.set(workspaceId, queue);
      }
    }
  }
}
