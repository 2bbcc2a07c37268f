const approveThisPullRequest = true
