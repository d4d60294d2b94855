-- Records from before have their branch in what the step came to.

update execution_steps set branch = output::json ->> 'branch' where output like '%"branch":"%' and status = 'COMPLETED';
